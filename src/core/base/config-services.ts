// Settings of the services around the product: its stores, mail, push, sign-in elsewhere. Each is undefined where the operator has
// set nothing of it, and throws ConfigError where something is missing or wrong.
import { ConfigError, integerIn, isLoopback, listed, origins, webUrl, type Lookup } from './config-values.ts'
import { hostCountOf, isPostgresUrl, primaryUrl } from './postgres-url.ts'
import { isRedisUrl } from './redis-url.ts'

/** A provider of OpenID Connect. */
export interface OidcConfig {
  /** Its address, below which it says what it can. */
  issuer: string
  clientId: string
  /** Empty for a public client, which has none. */
  clientSecret: string
  /** As people call it: stands on the button. */
  name: string
  /** Whoever it knows may have a verified account without a registration code. */
  verifies: boolean
}

/** The server that takes mail to others. */
export interface SmtpConfig {
  /** With the name and the password. */
  url: string
  from: string
}

/** Web Push (VAPID, RFC 8292). */
export interface PushConfig {
  publicKey: string
  privateKey: string
  /** Whom push services reach when something is wrong: `mailto:` or `https:`. */
  subject: string
  /** Origins that are trusted beside the known push services. */
  hosts: readonly string[]
}

/** A bucket of a server that speaks S3. */
export interface BucketConfig {
  /** Undefined: that of Amazon. */
  endpoint: string | undefined
  region: string
  bucket: string
  /** Of all names in it: empty, or with a slash at its end. */
  prefix: string
  /** Undefined: those that the machine has, as Amazon's machines do. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
  /** False while images are moved back: new ones go to `imagesDir`, and those in the bucket are still found. */
  takesNew: boolean
}

/** `OIDC_`. */
export function oidcOf(text: Lookup, verifies: boolean): OidcConfig | undefined {
  const [issuer, clientId, clientSecret = '', name] = ['ISSUER', 'CLIENT_ID', 'CLIENT_SECRET', 'NAME'].map((part) => text(`OIDC_${part}`))
  if (!issuer && !clientId && !clientSecret && !name) return undefined
  const url = issuer !== undefined && URL.canParse(issuer) ? new URL(issuer) : undefined
  if (!url || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))))
    throw new ConfigError('OIDC_ISSUER must be the address of a provider of OpenID Connect that begins with https://.')
  if (!clientId) throw new ConfigError('OIDC_CLIENT_ID must be the name under which the provider knows this server.')
  return { issuer: url.href, clientId, clientSecret, name: (name ?? url.hostname).slice(0, 40), verifies }
}

/** `SMTP_`. */
export function smtpOf(url: string | undefined, from: string | undefined): SmtpConfig | undefined {
  if (url === undefined && from === undefined) return undefined
  if (url === undefined || !URL.canParse(url) || !/^smtps?:$/.test(new URL(url).protocol) || new URL(url).hostname === '')
    throw new ConfigError('SMTP_URL must look like smtp://user:password@mail.example:587, or begin with smtps://.')
  if (from === undefined || !/^[^\s@<>]+@[^\s@<>]+$/.test(from))
    throw new ConfigError('SMTP_FROM must be the mail address that mail comes from.')
  return { url, from }
}

/** `PUSH_`. */
export function pushOf(text: (...names: string[]) => string | undefined): PushConfig | undefined {
  const [publicKey, privateKey, subject] = [text('PUSH_PUBLIC_KEY'), text('PUSH_PRIVATE_KEY'), text('PUSH_SUBJECT')]
  if (publicKey === undefined && privateKey === undefined && subject === undefined) return undefined
  const isKey = (key: string | undefined, bytes: number) => key !== undefined && Buffer.from(key, 'base64url').length === bytes
  if (!publicKey || !privateKey || !subject || !isKey(publicKey, 65) || !isKey(privateKey, 32) || !/^(mailto:|https:\/\/)./.test(subject))
    throw new ConfigError(
      'PUSH_PUBLIC_KEY, PUSH_PRIVATE_KEY and PUSH_SUBJECT must all be set, as npm run setup makes them; PUSH_SUBJECT is mailto: and an address.',
    )
  return { publicKey, privateKey, subject, hosts: origins('PUSH_HOSTS', listed(text('PUSH_HOSTS'))) }
}

/** `S3_` and `IMAGES_IN`. */
export function bucketOf(text: Lookup): BucketConfig | undefined {
  const [name, endpoint, region, accessKeyId, secretAccessKey] = ['BUCKET', 'ENDPOINT', 'REGION', 'ACCESS_KEY_ID', 'SECRET_ACCESS_KEY'].map(
    (part) => text(`S3_${part}`),
  )
  const place = text('IMAGES_IN')
  if (place !== undefined && place !== 'folder' && place !== 'bucket')
    throw new ConfigError(`IMAGES_IN must be folder or bucket, not "${place}".`)
  if (name === undefined) {
    if (endpoint ?? region ?? accessKeyId ?? secretAccessKey) throw new ConfigError('S3_BUCKET must name the bucket for images.')
    if (place === 'bucket') throw new ConfigError('IMAGES_IN=bucket needs S3_BUCKET.')
    return undefined
  }
  const [, bucket, prefix = ''] = /^([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])((?:\/[A-Za-z0-9_-]+)*)\/?$/.exec(name) ?? []
  if (bucket === undefined) throw new ConfigError('S3_BUCKET must be the name of a bucket, or one with a path: pictures/2026.')
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    throw new ConfigError('S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY must both be set, or neither.')
  return {
    endpoint: endpoint === undefined ? undefined : webUrl('S3_ENDPOINT', endpoint),
    region: region ?? 'us-east-1',
    bucket,
    prefix: prefix === '' ? '' : `${prefix.slice(1)}/`,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
    takesNew: place !== 'folder',
  }
}

/** `DATABASE_URL`, or what is set of its parts. */
export function databaseUrl(text: Lookup): string | undefined {
  const whole = text('DATABASE_URL')
  if (whole !== undefined) {
    // The value never appears in the message: it holds a password.
    if (!isPostgresUrl(whole))
      throw new ConfigError(
        'DATABASE_URL must be a URL that begins with postgres:// or postgresql://, of one host or of several, and of a server that can be written to.',
      )
    return primaryUrl(whole)
  }
  const [host, port, database, user, password] = ['HOSTNAME', 'PORT', 'DB', 'USER', 'PASSWORD'].map((part) => text(`DATABASE_${part}`))
  if (!host && !port && !database && !user && !password) return undefined
  const url = new URL('postgres://localhost')
  url.hostname = host ?? 'localhost'
  url.port = String(port === undefined ? 5432 : integerIn('DATABASE_PORT', port, 1, 65535))
  url.pathname = `/${encodeURIComponent(database ?? 'quarterdeck')}`
  url.username = encodeURIComponent(user ?? 'quarterdeck')
  url.password = encodeURIComponent(password ?? 'password')
  return url.href
}

/** `DATABASE_POOLER_URL`. */
export function poolerUrl(text: Lookup): string | undefined {
  const url = text('DATABASE_POOLER_URL')
  if (url === undefined) return undefined
  if (!isPostgresUrl(url)) throw new ConfigError('DATABASE_POOLER_URL must be a URL that begins with postgres:// or postgresql://.')
  if (databaseUrl(text) === undefined)
    throw new ConfigError('DATABASE_POOLER_URL needs DATABASE_URL, the address of Postgres itself, for migrations and backups.')
  return url
}

/** `DATABASE_STANDBY_URL`. */
export function standbyUrl(text: Lookup): string | undefined {
  const url = text('DATABASE_STANDBY_URL')
  if (url === undefined) return undefined
  if (!isPostgresUrl(url) || hostCountOf(url) > 1)
    throw new ConfigError('DATABASE_STANDBY_URL must be a URL that begins with postgres:// or postgresql://, of one host.')
  if (databaseUrl(text) === undefined) throw new ConfigError('DATABASE_STANDBY_URL needs DATABASE_URL, the address of the primary.')
  return url
}

/** `REDIS_URL`, or what is set of its parts. */
export function redisUrl(text: Lookup): string | undefined {
  const whole = text('REDIS_URL')
  if (whole !== undefined) {
    // The value never appears in the message: it holds a password.
    if (!isRedisUrl(whole))
      throw new ConfigError(
        'REDIS_URL must be a URL that begins with redis://, redis-sentinel:// or redis-cluster://, or rediss instead for TLS.',
      )
    return whole
  }
  const [host, port, password] = ['HOSTNAME', 'PORT', 'PASSWORD'].map((part) => text(`REDIS_${part}`))
  if (!host && !port && !password) return undefined
  const url = new URL('redis://localhost')
  url.hostname = host ?? 'localhost'
  url.port = String(port === undefined ? 6379 : integerIn('REDIS_PORT', port, 1, 65535))
  if (password) url.password = encodeURIComponent(password)
  return url.href
}
