// The photo stream: the newest photos of everybody.
import type { PhotostreamImageData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { isModerator } from '../session.ts'
import { useQuery } from '../store.ts'

const minuteMs = 60_000

/** The newest photos, of all places or of one. */
export function usePhotos(locationName: string) {
  return useQuery({
    queryKey: ['photostream', locationName],
    queryFn: () => client.photostream.list(locationName === '' ? {} : { locationName }),
    refetchInterval: minuteMs,
  })
}

/** A photo, if it is among the newest; moderators find all. */
export function usePhoto(id: number) {
  return useQuery<{ photo: PhotostreamImageData | undefined }>({
    queryKey: ['photostream', 'one', id],
    async queryFn() {
      const { photos } = await client.photostream.list()
      const photo = photos.find(({ postID }) => postID === id)
      return photo || !isModerator.value ? { photo } : await client.mod.photostream({ stream_photoID: id })
    },
  })
}

/** What a photo that is taken now can be of. */
export const usePhotoPlaces = () => useQuery({ queryKey: ['photoplaces'], queryFn: () => client.photostream.placenames() })
