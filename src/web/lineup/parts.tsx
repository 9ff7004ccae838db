// One performer as a line of a list.
import type { PerformerHeaderData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { Row } from '../kit/row.tsx'

/** A performer as a line of a list. */
export function PerformerRow({ performer, sub }: { performer: PerformerHeaderData; sub?: string | undefined }) {
  return <Row href={`/performer/${performer.id}`} lead={<Photo performer={performer} />} title={performer.name} sub={sub} />
}

/** Their photo, or the first letter of their name. */
function Photo({ performer: { id = '', name, photo } }: { performer: PerformerHeaderData }) {
  if (photo)
    return <img class="face" src={client.image.thumb.url({ image_filename: photo })} alt="" width={40} height={40} loading="lazy" />
  return (
    <span class={`face c${parseInt(id.slice(-4), 16) % 6}`} aria-hidden="true">
      {[...name][0]?.toUpperCase()}
    </span>
  )
}
