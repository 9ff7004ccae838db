// `npm run health`: asks the server of this machine whether it serves; for Docker and for monitoring.
import { parseArgs } from 'node:util'
import { readConfig } from '../accounts/config.ts'
import { apiPrefix } from '../core/http/route.ts'
import { runCommand } from '../operate/command.ts'
import { askOwnServer } from '../operate/own-server.ts'
import { OperatorError } from '../supervisor/operator-error.ts'

await runCommand(async (screen) => {
  const { values } = parseArgs({ options: { env: { type: 'string', short: 'e' } } })
  const config = readConfig(values.env === undefined ? [] : ['--env', values.env])
  const { status, text } = await askOwnServer(config, `${apiPrefix}/client/health`)
  if (status !== 200) throw new OperatorError(`The server does not serve: ${text}`)
  screen.line('The server serves.')
})
