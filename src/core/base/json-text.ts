// JSON that is ready to be sent, with the type of what it says: the compiler checks such an answer against its
// schema, as it does a value.

declare const says: unique symbol

/** JSON of a `T`. */
export type JsonText<T> = string & { readonly [says]: () => T }

/** JSON of a `T` in UTF-8. */
export type JsonBytes<T> = Buffer & { readonly [says]: () => T }

export const jsonText = <T>(value: T): JsonText<T> => JSON.stringify(value) as JsonText<T>

export const jsonBytes = <T>(value: T): JsonBytes<T> => Buffer.from(JSON.stringify(value)) as JsonBytes<T>

/** A text that was put together of pieces of JSON. What it says is the word of the caller. */
export const joinedJson = <T>(text: string): JsonText<T> => text as JsonText<T>

/** As `joinedJson`, in UTF-8. */
export const joinedJsonBytes = <T>(bytes: Buffer): JsonBytes<T> => bytes as JsonBytes<T>
