// What the command line says.

/** The number behind `--name`, or another one where it is not given. */
export function numberOf(name: string, otherwise: number): number {
  const index = process.argv.indexOf(`--${name}`)
  if (index < 0) return otherwise
  const value = Number(process.argv[index + 1])
  if (!Number.isFinite(value) || value < 0) throw new Error(`--${name} needs a number.`)
  return value
}
