// PgBouncer in transaction mode before the Postgres of a test run, by hand: where PGBOUNCER names the program.
import { spawn } from 'node:child_process'
import { chown, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { accountFor, commandAs } from '../../src/embedded/account.ts'
import { follow, poll, untilUp, type Running } from '../../src/supervisor/running.ts'
import { ownPort } from './port.ts'

/** Starts it before all databases of the Postgres at `postgresUrl`. Resolves with its host and port, too. */
export async function startPgBouncer(program: string, directory: string, postgresUrl: string): Promise<{ running: Running; host: string }> {
  const { hostname, port: postgresPort, username, password } = new URL(postgresUrl)
  const port = await ownPort()
  const settings = join(directory, 'pgbouncer.ini')
  const account = accountFor(directory)
  await writeFile(
    settings,
    `[databases]
* = host=${hostname} port=${postgresPort} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_prepared_statements = 200
max_client_conn = 2000
default_pool_size = 12
server_idle_timeout = 5
`,
    { mode: 0o600 },
  )
  if (account) await chown(settings, account.uid, account.gid)
  const { program: command, args, options } = commandAs(account, program, ['-q', settings], directory)
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] })
  const running = follow(child, { stop: 'SIGQUIT', kill: 'SIGKILL', deadlineMs: 3000 })
  await untilUp(running, { name: 'PgBouncer', withinMs: 10_000, up: (over) => poll(() => listens(port), over) })
  return { running, host: `127.0.0.1:${port}` }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host: '127.0.0.1', port })
    socket.once('connect', () => resolve(true))
    socket.once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}
