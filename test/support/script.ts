// A program of the operator's that writes down with what it was called.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What one call was given. */
export interface Call<Message> {
  text: string
  json: Message
  /** The names of the variables of its environment, but for those that every shell sets. */
  env: string[]
}

export interface Script<Message> {
  readonly path: string
  /** With what it ends from then on. */
  end(code: number): void
  /** Those so far, in order. */
  calls(): Call<Message>[]
  remove(): void
}

export function makeScript<Message>(): Script<Message> {
  const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-script-'))
  const [path, code] = [join(folder, 'told'), join(folder, 'code')]
  writeFileSync(
    path,
    `#!/bin/sh
call=${folder}/call-$(ls ${folder} | grep -c text$)
cat > $call.json
env > $call.env
printf %s "$1" > $call.text
exit $(cat ${code})
`,
    { mode: 0o755 },
  )
  writeFileSync(code, '0')
  const read = (call: string, kind: string) => readFileSync(join(folder, `${call}.${kind}`), 'utf8')
  return {
    path,
    end: (next) => writeFileSync(code, String(next)),
    calls: () =>
      readdirSync(folder)
        .filter((name) => name.endsWith('.text'))
        .toSorted()
        .map((name) => name.slice(0, -'.text'.length))
        .map((call) => ({
          text: read(call, 'text'),
          json: JSON.parse(read(call, 'json')) as Message,
          env: read(call, 'env')
            .split('\n')
            .map((line) => line.split('=')[0] ?? '')
            .filter((name) => name !== '' && !['PATH', 'PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)),
        })),
    remove: () => existsSync(folder) && rmSync(folder, { recursive: true }),
  }
}
