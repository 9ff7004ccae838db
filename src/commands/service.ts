// `npm run service`: a unit of systemd for this place; see systemd.service(5) and systemd.exec(5).
import { parseArgs } from 'node:util'
import { readConfig } from '../accounts/config.ts'
import { ConfigError, homeFolder, projectRoot } from '../core/base/config.ts'
import { backupFolder } from '../operate/backup-files.ts'
import { runCommand } from '../operate/command.ts'

const lowestFreePort = 1024

/** A path in a unit: https://www.freedesktop.org/software/systemd/man/latest/systemd.syntax.html, Quoting. */
const quoted = (path: string): string =>
  /^[\w@./:-]+$/.test(path) ? path.replaceAll('%', '%%') : JSON.stringify(path.replaceAll('%', '%%'))

await runCommand(() => {
  const { values } = parseArgs({ options: { env: { type: 'string', short: 'e' }, user: { type: 'string', default: 'quarterdeck' } } })
  if (!/^[a-z_][a-z0-9_-]{0,31}$/.test(values.user)) throw new ConfigError(`--user must be the name of an account, not "${values.user}".`)
  const config = readConfig(values.env === undefined ? [] : ['--env', values.env])
  const packed = homeFolder !== projectRoot
  const program = packed ? [`${homeFolder}/quarterdeck`] : [process.execPath, `${projectRoot}/src/launch.mjs`]
  const written = new Set([homeFolder, config.dataDir, config.imagesDir, backupFolder(config)])
  const needsLowPort = config.port < lowestFreePort
  const unit = `# To install, as root:
#   useradd --system --home-dir ${homeFolder} ${values.user}; chown -R ${values.user}: ${homeFolder}
#   (write these lines to /etc/systemd/system/quarterdeck.service)
#   systemctl daemon-reload && systemctl enable --now quarterdeck
# Its log: journalctl -u quarterdeck -f
[Unit]
Description=Quarterdeck
After=network-online.target
Wants=network-online.target
# After a fault it comes back, however often.
StartLimitIntervalSec=0

[Service]
User=${values.user}
WorkingDirectory=${quoted(homeFolder)}
Environment=LOG_FORMAT=json
ExecStart=${[...program, 'start', '--env', config.environment].map(quoted).join(' ')}
ExecReload=/bin/kill -USR2 $MAINPID
Restart=always
RestartSec=2
# It ends its own parts in order, within fifteen seconds.
KillMode=mixed
TimeoutStopSec=40
LimitNOFILE=262144
OOMPolicy=continue

NoNewPrivileges=yes
ProtectSystem=strict
ReadWritePaths=${[...written].map(quoted).join(' ')}
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
LockPersonality=yes
SystemCallArchitectures=native
CapabilityBoundingSet=${needsLowPort ? 'CAP_NET_BIND_SERVICE\nAmbientCapabilities=CAP_NET_BIND_SERVICE' : ''}
UMask=0027

[Install]
WantedBy=multi-user.target
`
  // As it is: a file is made of it.
  process.stdout.write(unit)
})
