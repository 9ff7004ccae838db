// Completion for shells, and the manual page: both from what `--help` says.
import { commandTexts, remoteNames } from './help.mjs'

const optionsIn = (text) => text.match(/(?<![\w-])--[a-z][a-z\d-]*/g) ?? []

/** What may follow a command: the words of its lines, and its options. */
function wordsAfter(name) {
  const texts = commandTexts()
  if (!remoteNames.includes(name)) return optionsIn(texts[name].replaceAll(/-- /g, ''))
  const [, ...parts] = texts.remote.split(/^npm run remote -- /m)
  const [last = ''] = parts.slice(-1)
  const own = parts.filter((part) => part.split(/\s/)[0] === name)
  const words = own.flatMap((part) => /^\w+ ([a-z|]+)(?=[ \n])/.exec(part)?.[1]?.split('|') ?? [])
  const shared = optionsIn(last.slice(last.indexOf('\n\n')))
  return [...words, ...own.flatMap((part) => optionsIn(part.split('\n\n')[0] ?? '')), ...shared]
}

/** All names that the packed program takes first. */
const allNames = () => [...Object.keys(commandTexts()).filter((name) => name !== 'remote'), ...remoteNames]

/** A script for `bash` or `zsh`: `source <(quarterdeck completion bash)`. */
export function completionFor(shell) {
  if (shell !== 'bash' && shell !== 'zsh') throw new Error('It is: completion bash, or completion zsh.')
  const cases = allNames().map((name) => `    ${name}) words='${[...new Set(wordsAfter(name))].join(' ')}' ;;`)
  return `${shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_quarterdeck() {
  local words=
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
  esac
  [ "$COMP_CWORD" = 1 ] && words='${allNames().join(' ')}'
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _quarterdeck quarterdeck
`
}

/** In the language of `man`: `quarterdeck man > quarterdeck.1`. */
export function manualPage() {
  const line = (text) =>
    text
      .replaceAll('\\', '\\\\')
      .replaceAll('-', '\\-')
      .replace(/^(?=[.'])/, '\\&')
  const parts = Object.values(commandTexts('quarterdeck')).map((text) => {
    const [, name] = /^quarterdeck ([\w<>]+)/.exec(text) ?? []
    return `.SS ${name === '<command>' ? 'over the network' : name}\n.nf\n${text.trimEnd().split('\n').map(line).join('\n')}\n.fi\n`
  })
  return `.TH QUARTERDECK 1\n.SH NAME\nquarterdeck \\- runs and looks after a server of Quarterdeck\n.SH COMMANDS\n${parts.join('')}`
}
