// JSON that is kept in memory and sent many times.

const beyondOneByte = /[^\0-\xff]/g
/** An escape is six characters long: with more than one in so many, a phone on bad Wi-Fi would wait for them. */
const fewEscapes = 20

/**
 * The same JSON with \u escapes for the few characters, such as emoji, that V8 cannot keep in one byte: a
 * text with one of them takes twice the memory, and as bytes a quarter more time. Where there are many,
 * the text stays as it is.
 */
export function narrowJson<Text extends string>(json: Text): Text {
  const count = json.match(beyondOneByte)?.length ?? 0
  if (count === 0 || count * fewEscapes > json.length) return json
  return json.replace(beyondOneByte, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) as Text
}
