// The pages that are not needed at once, in one file: a second load, and everything is there, also without a network.
import { addTexts } from './texts.ts'
import en from './texts/pages.en.json'

await addTexts({ en, others: { de: () => import('./texts/pages.de.json') } })

export { CreateAccount } from './auth/create-account.tsx'
export { ResetPassword } from './auth/reset-password.tsx'
export { Games } from './boardgames/page.tsx'
export { Event } from './events/event.tsx'
export { Schedule } from './events/page.tsx'
export { DayPlanner } from './events/planner.tsx'
export { Chat } from './fez/chat.tsx'
export { NewSeamail, NewGroup } from './fez/new.tsx'
export { Seamail, Groups } from './fez/page.tsx'
export { Forum, ForumOfPost } from './forum/forum.tsx'
export { Forums, Category } from './forum/page.tsx'
export { Karaoke } from './karaoke/page.tsx'
export { Microblog, Conversation } from './microblog/page.tsx'
export { Account } from './user/page.tsx'
export { EditProfile } from './user/profile.tsx'
export { KeyWords } from './user/words.tsx'
export { UserList } from './users/lists.tsx'
export { Directory, Profile } from './users/page.tsx'
