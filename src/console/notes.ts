// What long work says of itself: how far it is, or how it ended. A sentence for whoever reads the API, and a code with figures for
// pages, which say it in the language of their reader.

/** Figures of a note. */
export interface NoteValues {
  files?: number
  rows?: number
  megabytes?: number
  done?: number
  all?: number
}

const sentences = {
  writing: ({ megabytes = 0 }: NoteValues) => `${megabytes} MB written`,
  restoring: ({ files }: NoteValues) => `Restoring into a scratch database, ${files} files so far`,
  people: ({ done, all }: NoteValues) => `${done} of ${all} people`,
  'backed-up': ({ files }: NoteValues) => `Backed up the database and ${files} files of images.`,
  restored: ({ rows }: NoteValues) => `Restored ${rows} rows.`,
  pictures: ({ files }: NoteValues) => `${files} pictures`,
  'no-scratch': () => 'This account of Postgres may not create databases, so a backup cannot be tried.',
  lost: () => 'The worker that did it has gone.',
  'see-log': () => 'It failed; the log of the worker has the reason.',
}

export type NoteCode = keyof typeof sentences
export const noteCodes = Object.keys(sentences) as NoteCode[]

/** A note as it is kept. */
export interface Note {
  /** Null for one in the words of an error. */
  code: NoteCode | null
  values: NoteValues
  text: string
}

export const note = (code: NoteCode, values: NoteValues = {}): Note => ({ code, values, text: sentences[code](values) })

/** The words of an error that is meant for operators. */
export const noteInWords = (text: string): Note => ({ code: null, values: {}, text })
