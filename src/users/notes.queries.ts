// Statements about notes on users.
import { accountColumns, type AccountRow } from '../accounts/rows.ts'
import type { Sql } from '../core/db/db.ts'

export interface NoteRow {
  noteId: string
  authorId: string
  subjectId: string
  note: string
  createdAt: Date
  updatedAt: Date
}

const noteColumns = (sql: Sql) => sql`note.id as note_id, note.author_id, note.subject_id, note.note, note.created_at, note.updated_at`

/** All notes of an author with their subjects, oldest first. */
export async function selectNotes(sql: Sql, authorId: string): Promise<(NoteRow & AccountRow)[]> {
  return await sql<(NoteRow & AccountRow)[]>`
    select ${noteColumns(sql)}, ${accountColumns(sql)} from note join account on account.id = note.subject_id
    where note.author_id = ${authorId} order by note.created_at, note.id`
}

export async function selectNote(sql: Sql, noteId: string): Promise<NoteRow | undefined> {
  const [row] = await sql<NoteRow[]>`select ${noteColumns(sql)} from note where id = ${noteId}`
  return row
}

/** The note of an author about a user. */
export async function selectNoteAbout(sql: Sql, authorId: string, subjectId: string): Promise<NoteRow | undefined> {
  const [row] = await sql<NoteRow[]>`select ${noteColumns(sql)} from note where author_id = ${authorId} and subject_id = ${subjectId}`
  return row
}

/** Writes a note, or another text into the one that is there. */
export async function upsertNote(
  sql: Sql,
  { id, authorId, subjectId, note, now }: { id: string; authorId: string; subjectId: string; note: string; now: Date },
): Promise<NoteRow> {
  const [row] = await sql<[NoteRow]>`
    insert into note (id, author_id, subject_id, note, created_at, updated_at)
      values (${id}, ${authorId}, ${subjectId}, ${note}, ${now}, ${now})
    on conflict on constraint note_once do update set note = excluded.note, updated_at = excluded.updated_at
    returning ${noteColumns(sql)}`
  return row
}

/** Undefined when the note is gone. */
export async function updateNote(sql: Sql, noteId: string, note: string, now: Date): Promise<NoteRow | undefined> {
  const [row] = await sql<NoteRow[]>`update note set note = ${note}, updated_at = ${now} where id = ${noteId} returning ${noteColumns(sql)}`
  return row
}

/** False when there was none. */
export async function deleteNote(sql: Sql, authorId: string, subjectId: string): Promise<boolean> {
  const result = await sql`delete from note where author_id = ${authorId} and subject_id = ${subjectId}`
  return result.count > 0
}
