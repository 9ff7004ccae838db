// Creating calls of forms. Whoever presses the button again after an answer was lost wants one chat, not two.
import type { CallOptions } from '../../sdk/client.ts'
import { isRefusal, newKey } from '../client.ts'

interface Unanswered {
  create: unknown
  said: string
  key: string
}

/** Calls of this page of which nobody knows what became of them. */
let unanswered: readonly Unanswered[] = []

/** Calls `create`. The same call, made again after its answer was lost, has the same key: the server does it once. */
export async function once<Input, Answer>(
  create: (input: Input, options: CallOptions) => Promise<Answer>,
  input: Input,
  options: CallOptions = {},
): Promise<Answer> {
  const said = JSON.stringify(input, (_, value: unknown) => (value instanceof Blob ? [value.size, value.type] : value))
  const before = unanswered.find((each) => each.create === create && each.said === said)
  const call = before ?? { create, said, key: newKey() }
  if (!before) unanswered = [...unanswered, call]
  const settled = () => (unanswered = unanswered.filter((each) => each !== call))
  try {
    const answer = await create(input, { ...options, idempotencyKey: call.key })
    settled()
    return answer
  } catch (error) {
    if (isRefusal(error)) settled()
    throw error
  }
}
