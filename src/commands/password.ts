// `npm run password -- <username>`: a new password for somebody who has lost everything; see src/auth/forgotten.service.ts.
import { setForgottenPassword } from '../auth/forgotten.service.ts'
import { orderReadAgain } from '../backup/read-again.service.ts'
import { runTool, withDatabase } from '../backup/stores.ts'
import { ConfigError } from '../core/base/config.ts'
import type { Sql } from '../core/db/db.ts'

await runTool(async ([username, ...more], config, say) => {
  if (username === undefined || username.startsWith('-') || more.length > 0)
    throw new ConfigError('Say whose password: npm run password -- <username>')
  await withDatabase(
    config,
    () => undefined,
    async (stores) => {
      const password = await stores.sql.begin((tx) => setForgottenPassword(tx as unknown as Sql, username))
      say(
        `The password of ${username} is ${password} from now on; it has no second factor and no passkeys any more, and is signed out everywhere. It should choose another one.`,
      )
      await orderReadAgain(stores, say)
    },
  )
})
