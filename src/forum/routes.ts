// Every endpoint under /forum.
import { route } from '../core/route.ts'
import { Text, Type, Uuid } from '../core/schema.ts'
import { createForum, getCategory, listCategories } from './categories.service.ts'
import { CategoryData, categoryQuery, ForumCreateData, ForumData } from './schemas.ts'

const features = ['forums'] as const
const categoryID = { category_id: Uuid }
/** A post may carry several images. */
const imageBodyLimit = 170 * 1024 * 1024

export const forumRoutes = [
  route({ method: 'GET', path: '/forum/categories', access: 'flex', features, query: { cat: Type.Optional(Text({ max: 50 })) }, reply: Type.Array(CategoryData),
    summary: 'The categories that the caller can see, without their forums.',
    run: (ctx, { query }) => listCategories(ctx, query.cat) }),
  route({ method: 'GET', path: '/forum/categories/:category_id', access: 'token', features, params: categoryID, query: categoryQuery, reply: CategoryData,
    summary: 'A category with a page of its forums: muted ones last, pinned ones first.',
    run: (ctx, { params, query }) => getCategory(ctx, params.category_id, query) }),
  route({ method: 'POST', path: '/forum/categories/:category_id/create', access: 'verified', features, params: categoryID, body: ForumCreateData, reply: ForumData, status: 201, idempotent: true, bodyLimit: imageBodyLimit,
    summary: 'Starts a forum with its first post.',
    run: (ctx, { params, body }) => createForum(ctx, params.category_id, body) }),
]
