// Line ends in texts that people write.

/** The text with LF at the end of each line, however it was typed. */
export const withLineFeeds = (text: string): string => (text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text)
