// Texts that outlive the one they were cut out of.

/** A copy: what was cut out of a text keeps all of that in memory. */
export const ownText = (text: string): string => Buffer.from(text).toString()
