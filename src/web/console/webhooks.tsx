// Webhooks: programs elsewhere that are told of what happens, and how what was sent to them was taken.
import { useState } from 'preact/hooks'
import type {
  NewWebhookEndpointData,
  WebhookDeliveryData,
  WebhookEndpointCreateData,
  WebhookEndpointData,
  WebhookEndpointUpdateData,
} from '../../sdk/client.ts'
import { client } from '../client.ts'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { Section } from '../kit/page.tsx'
import { Answer, Empty } from '../kit/states.tsx'
import { useSure } from '../kit/sure.tsx'
import { when } from '../kit/time.ts'
import { attempt, toast } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { ConsolePage } from '../team/parts.tsx'
import { c, type ConsoleText } from '../team/texts.ts'

type Kind = WebhookEndpointCreateData['kinds'][number]
const kinds: readonly Kind[] = [
  'announcement.created',
  'schedule.updated',
  'fez.created',
  'forum.created',
  'user.created',
  'report.created',
]
const key = 'console webhooks'
/** While something waits to be sent. */
const everyMs = 5000

export function Webhooks() {
  const [made, setMade] = useState<NewWebhookEndpointData>()
  const webhooks = useQuery({ queryKey: [key], queryFn: () => client.admin.webhooks(), refetchInterval: everyMs })
  return (
    <ConsolePage title={c('webhooks')}>
      <p class="quiet after-tabs">{c('webhooks.text')}</p>
      {made && <Made made={made} />}
      <Answer of={webhooks} rows={2}>
        {({ endpoints, allowedHosts }) => (
          <>
            {endpoints.length === 0 ? (
              <Empty title={c('webhooks.none')} />
            ) : (
              <div class="stack">
                {endpoints.map((endpoint) => (
                  <Endpoint key={endpoint.endpointID} endpoint={endpoint} />
                ))}
              </div>
            )}
            <Section title={c('webhooks.new')}>
              {allowedHosts.length === 0 ? (
                <p class="card pad">{c('webhooks.off')}</p>
              ) : (
                <New hosts={allowedHosts.join(', ')} done={setMade} />
              )}
            </Section>
          </>
        )}
      </Answer>
    </ConsolePage>
  )
}

/** The key is shown this once. */
function Made({ made: { endpoint, secret } }: { made: NewWebhookEndpointData }) {
  const copy = async () => {
    await navigator.clipboard.writeText(secret)
    toast(c('webhooks.copied'))
  }
  return (
    <div class="card pad text made" role="status">
      <p>{c('webhooks.made', { name: endpoint.name })}</p>
      <p class="token">
        <code>{secret}</code>
      </p>
      {navigator.clipboard && (
        <button type="button" class="btn" onClick={() => void attempt(copy)}>
          {c('webhooks.copy')}
        </button>
      )}
    </div>
  )
}

function Endpoint({ endpoint }: { endpoint: WebhookEndpointData }) {
  const { endpointID, name, host, isPaused, waiting, failed, lastSentAt } = endpoint
  const [open, setOpen] = useState<'log' | 'change'>()
  const { ask, question } = useSure()
  const at = { endpoint_id: endpointID }
  const change = (changes: WebhookEndpointUpdateData) =>
    attempt(async () => {
      await client.admin.setWebhooks({ ...at, ...changes })
      refresh(key)
    })
  const test = () =>
    attempt(async () => {
      await client.admin.webhooksTest(at)
      toast(c('webhooks.tested'))
      setOpen('log')
      refresh(key, logKey(endpointID))
    })
  const remove = async () => {
    await client.admin.removeWebhooks(at)
    refresh(key)
  }
  const toggle = (part: 'log' | 'change') => () => setOpen(open === part ? undefined : part)
  return (
    <article class="card pad endpoint">
      <h3>
        <span class={`dot ${isPaused ? '' : failed > 0 || waiting > 0 ? 'warning' : 'good'}`} aria-hidden="true" /> {name}
      </h3>
      <p>
        {host}
        {isPaused && <b> · {c('webhooks.paused')}</b>}
      </p>
      <p class="quiet">{endpoint.kinds.length > 0 ? endpoint.kinds.map(nameOfKind).join(', ') : c('webhooks.noKinds')}</p>
      <p class="quiet">
        {[
          lastSentAt ? c('webhooks.last', { time: when(lastSentAt) }) : c('webhooks.never'),
          waiting > 0 && c('webhooks.waiting', { n: waiting }),
          failed > 0 && c('webhooks.failed', { n: failed }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <div class="deeds">
        <button type="button" class="btn quiet" disabled={isPaused} onClick={() => void test()}>
          {c('webhooks.test')}
        </button>
        <button type="button" class="btn quiet" aria-expanded={open === 'log'} onClick={toggle('log')}>
          {c('webhooks.log')}
        </button>
        <button type="button" class="btn quiet" onClick={() => void change({ isPaused: !isPaused })}>
          {c(isPaused ? 'webhooks.goOn' : 'webhooks.pause')}
        </button>
        <button type="button" class="btn quiet" aria-expanded={open === 'change'} onClick={toggle('change')}>
          {c('webhooks.change')} …
        </button>
        <button
          type="button"
          class="btn quiet"
          aria-haspopup="dialog"
          onClick={() =>
            ask({
              title: c('webhooks.removeOne', { name }),
              text: c('webhooks.removeText', { n: waiting }),
              done: c('delete'),
              run: remove,
            })
          }
        >
          {c('delete')} …
        </button>
      </div>
      {open === 'change' && <Change endpoint={endpoint} done={() => setOpen(undefined)} />}
      {open === 'log' && <Log endpointID={endpointID} />}
      {question}
    </article>
  )
}

const nameOfKind = (kind: string): string => c(`webhooks.kind.${kind}` as ConsoleText)
const logKey = (endpointID: string): string => `console webhook ${endpointID}`

function Log({ endpointID }: { endpointID: string }) {
  const deliveries = useQuery({
    queryKey: [logKey(endpointID)],
    queryFn: () => client.admin.webhooksDeliveries({ endpoint_id: endpointID }),
    refetchInterval: everyMs,
    staleTime: 0,
  })
  return (
    <Answer of={deliveries} rows={2}>
      {({ deliveries: all }) =>
        all.length === 0 ? (
          <p class="quiet">{c('webhooks.nothingSent')}</p>
        ) : (
          <ul aria-label={c('webhooks.log')}>
            {all.map((delivery) => (
              <Delivery key={delivery.deliveryID} endpointID={endpointID} delivery={delivery} />
            ))}
          </ul>
        )
      }
    </Answer>
  )
}

const dots = { sent: 'good', waiting: 'warning', failed: 'bad' } as const

function Delivery({ endpointID, delivery }: { endpointID: string; delivery: WebhookDeliveryData }) {
  const { deliveryID, kind, createdAt, state, attempts, status, reason, body } = delivery
  const again = () =>
    attempt(async () => {
      await client.admin.webhooksDeliveriesAgain({ endpoint_id: endpointID, delivery_id: deliveryID })
      refresh(key, logKey(endpointID))
    })
  return (
    <li class="check">
      <span class={`dot ${dots[state]}`} aria-hidden="true" />
      <div class="grow">
        <p>
          <b>{nameOfKind(kind)}</b> <small class="quiet">{when(createdAt)}</small>
        </p>
        <p>
          {c(`webhooks.${state}One`, { n: attempts })}
          {status !== undefined ? ` ${c('webhooks.status', { status })}` : reason && ` ${reason}`}
        </p>
        <details>
          <summary>{c('webhooks.body')}</summary>
          <pre class="sent-body">{body}</pre>
        </details>
      </div>
      {state !== 'waiting' && (
        <button type="button" class="btn quiet" onClick={() => void again()}>
          {c('webhooks.again')}
        </button>
      )}
    </li>
  )
}

function Change({ endpoint: { endpointID, name, kinds: chosen }, done }: { endpoint: WebhookEndpointData; done: () => void }) {
  const { values, set, error, busy, submit } = useForm({ name, kinds: chosen as readonly Kind[] })
  const save = submit(async () => {
    await client.admin.setWebhooks({ endpoint_id: endpointID, name: values.name.trim(), kinds: [...values.kinds] })
    toast(c('saved'))
    refresh(key)
    done()
  })
  return (
    <form onSubmit={save}>
      <Name value={values.name} change={set('name')} error={errorOf(error, 'name')} />
      <Kinds chosen={values.kinds} change={set('kinds')} />
      <FormError error={error} fields={['name']} />
      <div class="deeds">
        <button type="submit" class="btn" disabled={busy}>
          {c('save')}
        </button>
        <button type="button" class="btn quiet" onClick={done}>
          {c('cancel')}
        </button>
      </div>
    </form>
  )
}

function New({ hosts, done }: { hosts: string; done: (made: NewWebhookEndpointData) => void }) {
  const { values, set, error, busy, submit, clear } = useForm({ name: '', url: '', kinds: ['announcement.created'] as readonly Kind[] })
  const make = submit(async () => {
    done(await client.admin.webhooksCreate({ name: values.name.trim(), url: values.url.trim(), kinds: [...values.kinds] }))
    clear()
    refresh(key)
    scrollTo(0, 0)
  })
  return (
    <form class="card pad" onSubmit={make}>
      <Name value={values.name} change={set('name')} error={errorOf(error, 'name')} />
      <Field
        label={c('webhooks.url')}
        hint={c('webhooks.hosts', { hosts })}
        value={values.url}
        change={set('url')}
        error={errorOf(error, 'url')}
        input={{ type: 'url', required: true, maxLength: 2000, autoComplete: 'off' }}
      />
      <Kinds chosen={values.kinds} change={set('kinds')} />
      <FormError error={error} fields={['name', 'url']} />
      <button type="submit" class="btn wide" disabled={busy}>
        {c('webhooks.make')}
      </button>
    </form>
  )
}

function Name(field: { value: string; change: (value: string) => void; error: string | undefined }) {
  return <Field label={c('webhooks.name')} {...field} input={{ required: true, maxLength: 50, autoComplete: 'off' }} />
}

function Kinds({ chosen, change }: { chosen: readonly Kind[]; change: (kinds: readonly Kind[]) => void }) {
  return (
    <fieldset class="ticks">
      <legend>{c('webhooks.of')}</legend>
      {kinds.map((kind) => (
        <label key={kind} class="tick">
          <input
            type="checkbox"
            checked={chosen.includes(kind)}
            onChange={({ currentTarget }) =>
              change(kinds.filter((each) => (each === kind ? currentTarget.checked : chosen.includes(each))))
            }
          />
          {nameOfKind(kind)}
        </label>
      ))}
    </fieldset>
  )
}
