// The operator's settings with the secrets of the built-in accounts, which the frame does not know by name.
import { readConfig as readFrameConfig, type Config, type Secret, type SecretSetting } from '../core/base/config.ts'

const password = (name: string): SecretSetting => ({ names: [name], fallback: 'password', isPassword: true })
const recoveryKey = (...names: [string, ...string[]]): SecretSetting => ({ names, fallback: 'recovery key', isPassword: false })

const settings: readonly SecretSetting[] = [
  password('ADMIN_PASSWORD'),
  recoveryKey('RECOVERY_KEY', 'ADMIN_RECOVERY_KEY'),
  password('THO_PASSWORD'),
  recoveryKey('THO_RECOVERY_KEY'),
  password('PROMETHEUS_PASSWORD'),
]

/**
 * Reads the configuration; see `core/base/config.ts`.
 *
 * @throws ConfigError naming every wrong input.
 */
export const readConfig = (argv?: readonly string[], env?: NodeJS.ProcessEnv): Config => readFrameConfig(argv, env, settings)

export interface AccountSecrets {
  adminPassword: Secret
  adminRecoveryKey: Secret
  thoPassword: Secret
  thoRecoveryKey: Secret
  prometheusPassword: Secret
}

/** @throws Error when the configuration was read without them. */
export function accountSecrets({ secrets }: Pick<Config, 'secrets'>): AccountSecrets {
  const secret = (name: string) => {
    const found = secrets.get(name)
    if (!found) throw new Error(`the configuration was read without ${name}`)
    return found
  }
  return {
    adminPassword: secret('ADMIN_PASSWORD'),
    adminRecoveryKey: secret('RECOVERY_KEY'),
    thoPassword: secret('THO_PASSWORD'),
    thoRecoveryKey: secret('THO_RECOVERY_KEY'),
    prometheusPassword: secret('PROMETHEUS_PASSWORD'),
  }
}
