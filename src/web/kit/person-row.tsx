// One person as a line of a list.
import type { ComponentChildren } from 'preact'
import type { UserHeader } from '../../sdk/client.ts'
import { Face, nameOf } from './face.tsx'
import { Row } from './row.tsx'

/** `tail`: what stands at its end. */
export const PersonRow = ({ user, tail }: { user: UserHeader; tail?: ComponentChildren }) => (
  <Row
    href={`/profile/${encodeURIComponent(user.username)}`}
    lead={<Face user={user} />}
    title={nameOf(user)}
    sub={user.displayName && `@${user.username}`}
    tail={tail}
  />
)
