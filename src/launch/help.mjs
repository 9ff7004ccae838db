// What `--help` says. It works before anything is installed.

const logging = `  --log <level>          trace, debug, info, notice, warning, error, critical or silent
`

const texts = {
  start: `npm start                     starts everything: Postgres, Redis, one server, one worker
npm start -- server           the server alone
npm start -- worker           the worker alone

  -e, --env <name>       development (default), production, testing or a name of your own
  -p, --port <port>      default 8081
  -H, --hostname <host>  address to listen on; 0.0.0.0 for everybody on the network
  -b, --bind <host:port> both at once
${logging}
Everything else is set by environment variables, or in seeds/private/<env>.env; the README lists them.
LOG_FORMAT=json or text chooses how the log looks; else it is text on a terminal and JSON in a pipe.
`,
  setup: `npm run setup                 asks eight questions and writes the settings of production
npm run setup -- --yes        takes the defaults for what is not given

  --name <text>          of the event
  --start <yyyy-mm-dd>   its first day
  --days <number>        how many days it has
  --zone <zone>          time zone of where it begins, such as America/New_York
  --address <name>       host name or address that phones use, with :port if it is not 8081
  --tls <yes|no|files>   yes makes a certificate; files are <certificate>,<key>
  --backups <folder>     for nightly backups, or no
  --push <mail address>  notices to devices whose app is closed, over the internet; or no
  --data <folder>        of the server's data; default data/production
  --force                replaces settings that exist; the old ones are kept beside them. Where there is data,
                         it asks for each secret whether it stays; with --yes all of them do
  --new-secrets          makes all secrets again without a question
`,
  doctor: `npm run doctor                looks whether a server can run here, and says what to do if not

  -e, --env <name>       whose settings to look at

Exit code: 0 when nothing is in the way, 1 when something must be mended, 2 when a setting is wrong.
`,
  health: `npm run health                asks the server of this machine whether it serves

  -e, --env <name>       whose settings to read; default development

Exit code: 0 when it does, 1 when it does not, 2 when a setting is wrong.
`,
  refresh: `npm run refresh               has the running servers read the database again, after somebody has written to it by hand

  -e, --env <name>       whose settings to read; default development
`,
  password: `npm run password -- <username>
                              gives somebody a new password who has neither the old one nor a recovery key

  -e, --env <name>       whose settings to read; default development

It is shown once, and everybody who is signed in with that account is signed out.
`,
  certificate: `npm run certificate           makes a certificate for this machine's addresses, and once a private authority
npm run certificate -- <name>...
                              for these names and addresses as well

A certificate that is there is replaced once you say yes. Its names stay.

  -e, --env <name>       for the server of these settings; default: that of npm start
  --folder <folder>      of the files; default: where the server's are, or tls in its data folder
  --days <number>        default 397
  --only                 for the names given here alone
  --new-authority        makes another authority too, which all phones have to trust once more
  -y, --yes              replaces the certificate without a question
  --serve                makes nothing; shows phones a page that explains it, over plain HTTP
  -p, --port <port>      of that page; default 8080
`,
  test: `npm test                      format, lint, then every test
npm test -- fez                   the tests of a folder, or of a file; other arguments go to Node's test runner
`,
  dev: `npm run dev                   npm start that compiles and starts again when a source is saved; open pages reload
`,
  format: `npm run format                formats all sources
`,
  lint: `npm run lint                  looks for what the rules of the project forbid, types included
`,
  bench: `npm run bench                 every benchmark beside its limit
npm run bench -- <group>...   some of them, such as reads, start, latency or day
`,
  fuzz: `npm run fuzz                  sends broken and hostile requests; test/fuzz says what can be set
`,
  chaos: `npm run chaos                 breaks one thing after another under load
npm run chaos -- --minutes 30 --users 300 --seed 7 [fault...]
                              for so long, with these faults of test/chaos/faults.ts
`,
  soak: `npm run soak                  runs for long and looks for what grows; test/chaos/soak.ts says what can be set
`,
  simulation: `npm run simulation            plays evenings of failing servers in virtual time
npm run simulation -- --seed 7 --runs 1000
                              so many, from this seed on; --log debug shows what servers say
npm run simulation -- --runs 1 --servers 100 --chats 300 --people 2000
                              a large one, which takes minutes
`,
  demo: `npm run demo                  plays a short scene with the sample people on a server in development
npm run demo -- <url>         on a server elsewhere
npm run demo -- --full [url]  fills it instead, as a place is on its third day
`,
  backup: `npm run backup -- <file>      writes everything into one file, while the server runs

  -e, --env <name>       whose settings to read; default development
`,
  restore: `npm run restore -- <file>     fills an empty database from a backup; the server must not run

  -e, --env <name>       whose settings to read; default development
`,
  wipe: `npm run wipe -- --yes         removes all users and everything they have written; the server must not run

  --keep-codes           registration codes stay, as if never used; without it they end
  -e, --env <name>       whose settings to read; default development
`,
  images: `npm run images               says where images lie, when there is a bucket for them

  --move                 moves them to where new ones go (IMAGES_IN), while the server runs
  -e, --env <name>       whose settings to read; default development
`,
  pack: `npm run pack -- --out <folder>
                              writes one archive with everything, for a machine without a network and without Node

  --level <0-9>          of compression; default 9

Beside it stand its checksum and the list of what is in it.
`,
  upgrade: `npm run upgrade -- <file>     puts another version in place of this one, after a backup and a rehearsal

  -e, --env <name>       whose settings to read; default: that of npm start
  --sha256 <digits>      that the file must have; default: those in <file>.sha256, where there is one
  --only-check           checks, makes the backup and rehearses, and changes nothing
  --despite-differences  goes on although answers differ, or people would be away for long
  --no-rehearsal         goes on without one, where there is no room for a copy; the way back by itself stays

People are served by this version until the last step, and by this one again if the new one does not serve.
Exit code: 0 when the new version serves, 1 when it does not and this one goes on, 2 when a setting is wrong.
`,
  rollback: `npm run rollback              puts the version before in place of this one

  -e, --env <name>       whose settings to read; default: that of npm start

It goes on with the data as they are, and is refused where that version cannot read them.
`,
  service: `npm run service               prints a unit of systemd that starts this with the machine, and again after a fault

  -e, --env <name>       whose settings to use; default: that of npm start
  --user <name>          that it runs as; default quarterdeck
`,
  remote: `npm run remote -- <command>   asks a server over the network, and does there what the console does

npm run remote -- status       how it does, and what is wrong; exit code 1 when something is bad
npm run remote -- incidents    what is wrong with the machine, and was
npm run remote -- logs [words]
    requests at which a server failed; --follow (-f) goes on with those to come
npm run remote -- users [words]
    --level <level>, --role <role>, --limit <number>
npm run remote -- promote <username> <moderator|serviceteam|tho|admin>
npm run remote -- demote <username>
npm run remote -- codes [words]
    registration codes, and whose they are; --free for those that are nobody's, --limit <number>
npm run remote -- codes make <number>
    --prefix <letters>
npm run remote -- codes print
    all that are free, a line each; --cards: a page of cards for a browser to print
    --address <address> on them, in place of the one that the server is configured with
npm run remote -- announce <text>
    --until <time> (default 24h), --at <time>, --as <account>
npm run remote -- announcements
npm run remote -- announcements delete <number>
npm run remote -- schedule check <file.ics|address>
    what it would change
npm run remote -- schedule apply <file.ics|address>
    --delete what it lacks, --posts in forums of events, --other-days than the trip's
npm run remote -- schedule fetch
    from the address in the settings
npm run remote -- schedule log
npm run remote -- schedule undo <number>
npm run remote -- jobs         by kind
npm run remote -- jobs retry|drop|pause|resume <kind>
npm run remote -- audit        who has done what
    --who <username>, --about <username>, --action <action>, --limit <number>
npm run remote -- export people [words]
    a table for a spreadsheet (CSV)
npm run remote -- export audit
    --who <username>, --about <username>, --action <action>
npm run remote -- settings
npm run remote -- settings set <name>=<value>...
npm run remote -- backups
npm run remote -- backups make
npm run remote -- retention [<kind>=<days>...]
    how much would go
npm run remote -- retention set <kind>=<days>...
    kinds such as deleted, and 0 days for ever
npm run remote -- webhooks
npm run remote -- webhooks make <name> <address> <kind>...
    kinds such as announcement.created
npm run remote -- webhooks test|log|pause|resume|delete <name>
npm run remote -- call '<METHOD> <path>' ['<json>']
    any endpoint of /docs, such as 'GET /users/:user_id/profile' '{"user_id":"heidi"}'

  -s, --server <url>     default: QUARTERDECK_SERVER, or http://localhost:8081
  --token-file <file>    with a token; else QUARTERDECK_TOKEN_FILE or QUARTERDECK_TOKEN
  --json                 the server's answer, for programs

A token is made in the browser app: Account, Programs of your own. It may do what its owner may.
Times are such as 30m, 3h, 2d or 2026-11-27T18:00.
Exit code: 0 when it is done, 1 when not, 2 when the command or a setting is wrong.
`,
  load: `npm run load                  finds out how many people a server carries, from another machine

  -s, --against <url>    the server; default: QUARTERDECK_SERVER, or http://localhost:8081
  --users <number>       people at most, default 1000; first a fifth of them, then more
  --minutes <number>     altogether, default 10; coming on board is extra
  --token-file <file>    with a token of an admin; else QUARTERDECK_TOKEN_FILE or QUARTERDECK_TOKEN
  --although-people-are-here
                         what it writes stays, so it wants a place of its own; this takes any
  --json                 every step with its figures, for programs

It ends with one sentence: how many people are carried, and what the first limit is.
Exit code: 0 when all of them are, 1 when not, 2 when an argument is wrong.
`,
  completion: `npm run completion -- <bash|zsh>
                              prints completion for a shell: source <(quarterdeck completion bash)
`,
  man: `npm run man                   prints the manual page: quarterdeck man > quarterdeck.1
`,
  build: `npm run build                 installs the packages and compiles, and starts nothing
`,
}

/** True when somebody asks what a program does. */
export const wantsHelp = (args) => args[0] === 'help' || args.includes('--help') || args.includes('-h')

/** What the packed program is called; it has the programs of operators alone, and no npm. */
const packed = process.env['QUARTERDECK_COMMAND']
const onlyPacked = ['upgrade', 'rollback', 'completion', 'man']
const remote = 'npm run remote -- '
/** Commands of `remote`, which the packed program knows by their own names. */
export const remoteNames = [...new Set(texts.remote.split('\n').flatMap((line) => /^npm run remote -- (\w+)/.exec(line)?.[1] ?? []))]
const ofDevelopers = ['test', 'dev', 'format', 'lint', 'bench', 'fuzz', 'chaos', 'soak', 'simulation', 'build', 'pack']

/** About one program, or about all of them. */
export function helpFor(name) {
  const there = Object.keys(texts).filter((each) => !(packed ? ofDevelopers : onlyPacked).includes(each))
  const text = there.includes(name) ? texts[name] : remoteNames.includes(name) ? texts.remote : undefined
  if (text) return inWordsOf(packed, text)
  const first = there.map((each) => texts[each].split('\n')[0])
  return inWordsOf(packed, `Quarterdeck. Each of these says more with --help, as in npm start -- --help.\n\n${first.join('\n')}\n`)
}

/** What `--help` says of each program of operators; with `command`, as a program of that name takes it. */
export function commandTexts(command) {
  const ofOperators = Object.entries(texts).filter(([name]) => !ofDevelopers.includes(name))
  return Object.fromEntries(ofOperators.map(([name, text]) => [name, inWordsOf(command, text)]))
}

/** As the packed program takes them; what a line says about a command stays in its column. */
function inWordsOf(command, text) {
  if (!command) return text
  return text
    .split('\n')
    .map((line) => {
      const renamed = line.replaceAll(remote, `${command} `).replace(/\bnpm (?:run )?(\w+)(?: --(?= ))?/g, `${command} $1`)
      const end = renamed.indexOf('  ')
      const column = line.slice(line.indexOf('  ')).search(/[^ ]/) + line.indexOf('  ')
      return line.startsWith('npm ') && end > 0 ? `${renamed.slice(0, end).padEnd(column)}${renamed.slice(end).trimStart()}` : renamed
    })
    .join('\n')
}
