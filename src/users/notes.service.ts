// Private notes about other users: one per author and subject, shown to the author alone.
import { headerOf } from '../accounts/headers.ts'
import { type UserHeader } from '../accounts/schemas.ts'
import type { Ctx } from '../core/work/ctx.ts'
import { forbidden, notAvailable } from '../core/base/errors.ts'
import { blocked } from '../core/base/viewer.ts'
import { deleteNote, selectNote, selectNoteAbout, selectNotes, updateNote, upsertNote, type NoteRow } from './notes.queries.ts'
import type { NoteData } from './schemas.ts'
import { visibleUser } from './service.ts'

/** Every note of the caller about users who are not hidden from them. */
export async function listNotes(ctx: Ctx): Promise<NoteData[]> {
  return (await selectNotes(ctx.sql, ctx.viewer.id)).filter((row) => !blocked(ctx.viewer, row)).map((row) => noteData(row, headerOf(row)))
}

/** The caller's note about a user. */
export async function getNote(ctx: Ctx, accountId: string): Promise<NoteData> {
  const subject = await visibleUser(ctx, accountId)
  const row = await selectNoteAbout(ctx.sql, ctx.viewer.id, accountId)
  if (!row) throw notAvailable('note')
  return noteData(row, subject.header)
}

/** Writes the caller's note about a user, in place of an earlier one. */
export async function writeNote(ctx: Ctx, accountId: string, note: string): Promise<NoteData> {
  const { header } = await notableUser(ctx, accountId)
  const { row } = await ctx.transaction(async (tx) => ({
    row: await upsertNote(tx.sql, { id: ctx.node.random.uuid(), authorId: ctx.viewer.id, subjectId: accountId, note, now: tx.now }),
  }))
  return noteData(row, header)
}

/** Replaces the text of one of the caller's notes. */
export async function changeNote(ctx: Ctx, noteId: string, note: string): Promise<NoteData> {
  const before = await selectNote(ctx.sql, noteId)
  if (!before) throw notAvailable('note')
  if (before.authorId !== ctx.viewer.id) throw forbidden('not_owner', 'This note belongs to somebody else.')
  const { header } = await notableUser(ctx, before.subjectId)
  const { row } = await ctx.transaction(async (tx) => ({ row: await updateNote(tx.sql, noteId, note, tx.now) }))
  if (!row) throw notAvailable('note')
  return noteData(row, header)
}

/** Removes the caller's note about a user, if there is one. */
export async function removeNote(ctx: Ctx, accountId: string): Promise<void> {
  const removed = await ctx.transaction((tx) => deleteNote(tx.sql, ctx.viewer.id, accountId))
  if (!removed) await visibleUser(ctx, accountId)
}

/** A visible user about whom notes may be written. */
async function notableUser(ctx: Ctx, accountId: string): Promise<{ header: UserHeader }> {
  const subject = await visibleUser(ctx, accountId)
  if (subject.level === 'banned') throw notAvailable('user')
  return subject
}

function noteData({ noteId, createdAt, updatedAt, note }: NoteRow, targetUser: UserHeader): NoteData {
  return { noteID: noteId, createdAt, updatedAt, targetUser, note }
}
