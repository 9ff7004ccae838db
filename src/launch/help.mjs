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
  build: `npm run build                 installs the packages and compiles, and starts nothing
`,
}

/** True when somebody asks what a program does. */
export const wantsHelp = (args) => args[0] === 'help' || args.includes('--help') || args.includes('-h')

/** About one program, or about all of them. */
export function helpFor(name) {
  if (Object.hasOwn(texts, name)) return texts[name]
  return `Quarterdeck. Each of these says more with --help, as in npm start -- --help.\n\n${Object.values(texts)
    .map((text) => text.split('\n')[0])
    .join('\n')}\n`
}
