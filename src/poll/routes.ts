// Every endpoint of polls.
import { route } from '../core/http/route.ts'
import { Type, Uuid } from '../core/schema/schema.ts'
import { PollContentData, PollData, PollVoteData } from './schemas.ts'
import { createPoll, endPoll, getPoll, listPolls, vote } from './service.ts'

const poll = { poll_id: Uuid }

export const pollRoutes = [
  route({
    method: 'GET',
    path: '/poll',
    access: 'token',
    query: { id: Type.Array(Uuid, { maxItems: 50 }) },
    reply: Type.Array(PollData),
    summary: 'Polls by their ids, in that order, without those that are not there for the caller: a poll is where its post is.',
    run: (ctx, { query }) => listPolls(ctx, query.id),
  }),
  route({
    method: 'GET',
    path: '/poll/:poll_id',
    access: 'token',
    params: poll,
    reply: PollData,
    summary: 'One poll.',
    run: (ctx, { params }) => getPoll(ctx, params.poll_id),
  }),
  route({
    method: 'POST',
    path: '/poll/create',
    access: 'verified',
    body: PollContentData,
    reply: PollData,
    status: 201,
    idempotent: true,
    summary: 'Writes a post with a poll. Its text is the question, a line for each choice, and the address of the poll.',
    run: (ctx, { body }) => createPoll(ctx, body),
  }),
  route({
    method: 'POST',
    path: '/poll/:poll_id/vote',
    access: 'verified',
    params: poll,
    body: PollVoteData,
    reply: PollData,
    summary: 'Votes, in place of how any account of the person has voted before.',
    run: (ctx, { params, body }) => vote(ctx, params.poll_id, body),
  }),
  route({
    method: 'POST',
    path: '/poll/:poll_id/end',
    access: 'token',
    params: poll,
    reply: PollData,
    summary: 'Ends a poll of the caller now. 403 for others; 400 when it has ended.',
    run: (ctx, { params }) => endPoll(ctx, params.poll_id),
  }),
]
