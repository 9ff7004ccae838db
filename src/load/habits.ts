// What people do on a day, and how often: apps ask for news, somebody reads and writes, now and then there is a picture.
import { membersOfChat, type Chat, type Person, type Place } from './people.ts'

/** A request that somebody makes. */
export interface Asked {
  by: Person
  method: 'GET' | 'POST'
  path: string
  body?: string
}

/** Something that is done again and again. */
export interface Habit {
  /** By each person. */
  perMinute: number
  /** The `count`th time, by one of the first `active` people. */
  make(count: number, active: number): Asked
}

/** Before the number of a message in a chat, by which it is known when it arrives. */
export const messageMark = 'a load test sends message '

const contentOf = (text: string): string => JSON.stringify({ text, images: [] })

/** `onMessage` is told of each message of a chat before it is sent. `picture` is a file, as base64. */
export function habitsOf(place: Place, picture: string, onMessage: (number: number, chat: Chat, author: Person) => void): Habit[] {
  // Neighbours in time are no neighbours in the list: all take part in everything.
  const anybody = (count: number, active: number) => place.people[(count * 7) % active] as Person
  const chatOf = (count: number, active: number) => place.chats[count % Math.max(1, Math.floor(active / membersOfChat))] as Chat
  const memberOf = ({ members }: Chat, count: number) => members[(count * 13) % members.length] as Person
  const forumOf = (count: number) => place.forums[count % place.forums.length] as string
  const read = (perMinute: number, path: (count: number) => string): Habit => ({
    perMinute,
    make: (count, active) => ({ by: anybody(count, active), method: 'GET', path: path(count) }),
  })
  const write = (perMinute: number, path: (count: number) => string): Habit => ({
    perMinute,
    make: (count, active) => ({
      by: anybody(count, active),
      method: 'POST',
      path: path(count),
      body: contentOf(`A few words about the weather and the food, for the ${count}th time.`),
    }),
  })
  // Some hundred kilobytes, for every picture again.
  const pictureBody = JSON.stringify({ image: picture })
  return [
    read(6, () => '/notification/user'),
    read(0.4, (count) => `/forum/${forumOf(count)}`),
    read(0.4, () => '/microblog'),
    read(0.4, () => '/events'),
    write(0.12, (count) => `/forum/${forumOf(count)}/create`),
    write(0.12, () => '/microblog/create'),
    {
      perMinute: 0.6,
      make(count, active) {
        const chat = chatOf(count, active)
        return { by: memberOf(chat, count), method: 'GET', path: `/fez/${chat.id}` }
      },
    },
    {
      perMinute: 0.16,
      make(count, active) {
        const chat = chatOf(count, active)
        const by = memberOf(chat, count)
        onMessage(count, chat, by)
        return { by, method: 'POST', path: `/fez/${chat.id}/post`, body: contentOf(messageMark + count) }
      },
    },
    {
      perMinute: 0.04,
      make: (count, active) => ({
        by: anybody(count, active),
        method: 'POST',
        path: '/user/image',
        body: pictureBody,
      }),
    },
  ]
}
