// A person: their picture, or the first letter of their name in a colour that stays theirs.
import type { UserHeader } from '../../sdk/client.ts'
import { client } from '../client.ts'

/** The name people read. */
export const nameOf = ({ displayName, username }: Pick<UserHeader, 'displayName' | 'username'>): string => displayName || username

const colours = 6

export function Face({ user, small }: { user: UserHeader; small?: boolean }) {
  const colour = parseInt(user.userID.slice(-4), 16) % colours
  const size = small ? 's' : ''
  if (user.userImage) {
    return (
      <img
        class={`face ${size}`}
        src={client.image.thumb.url({ image_filename: user.userImage })}
        alt=""
        width={40}
        height={40}
        loading="lazy"
      />
    )
  }
  return (
    <span class={`face c${colour} ${size}`} aria-hidden="true">
      {[...nameOf(user)][0]?.toUpperCase()}
    </span>
  )
}
