// Where incidents are told outside of the product.
import { useState } from 'preact/hooks'
import type { WebhookData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { errorOf, Field, FormError } from '../kit/field.tsx'
import { useForm } from '../kit/form.ts'
import { Section } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { attempt, toast } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { mayDo } from '../team/rights.ts'
import { c } from '../team/texts.ts'

export function Webhook() {
  const webhook = useQuery({ queryKey: ['console webhook'], queryFn: () => client.admin.incidentsWebhook() })
  return (
    <Section title={c('webhook')}>
      <div class="card pad stack">
        <p class="quiet">{c('webhook.text')}</p>
        <Answer of={webhook}>
          {({ host, ...quiet }) => (
            <>
              <p>{host === 'script:' ? c('webhook.script') : host ? c('webhook.at', { host }) : c('webhook.none')}</p>
              {quiet.quietFrom && <p>{c('webhook.quietAt', { from: quiet.quietFrom, to: quiet.quietTo ?? '' })}</p>}
              {mayDo('admin') && (host ? <Told host={host} quiet={quiet} /> : <Address />)}
            </>
          )}
        </Answer>
      </div>
    </Section>
  )
}

type Quiet = Omit<WebhookData, 'host'>

function Told({ host, quiet }: { host: string; quiet: Quiet }) {
  const [changing, setChanging] = useState<'address' | 'quiet'>()
  const done = () => setChanging(undefined)
  const send = () =>
    attempt(async () => {
      await client.admin.incidentsWebhookTest()
      toast(c('webhook.tried'))
    })
  const remove = () =>
    attempt(async () => {
      await client.admin.removeIncidentsWebhook()
      toast(c('webhook.removed'))
      refresh('console webhook')
    })
  if (changing === 'address') return <Address key={host} done={done} />
  if (changing === 'quiet') return <QuietHours quiet={quiet} done={done} />
  return (
    <div class="deeds">
      <button type="button" class="btn" onClick={() => void send()}>
        {c('webhook.try')}
      </button>
      <button type="button" class="btn quiet" onClick={() => setChanging('address')}>
        {c('webhook.change')} …
      </button>
      <button type="button" class="btn quiet" onClick={() => setChanging('quiet')}>
        {c('webhook.quiet')} …
      </button>
      <button type="button" class="btn quiet" onClick={() => void remove()}>
        {c('webhook.remove')}
      </button>
    </div>
  )
}

const usualQuiet = { quietFrom: '22:00', quietTo: '07:00' }

function QuietHours({ quiet, done }: { quiet: Quiet; done: () => void }) {
  const { values, set, error, busy, submit } = useForm({ ...usualQuiet, ...quiet })
  const send = async (hours: Quiet) => {
    await client.admin.incidentsWebhookQuiet(hours)
    toast(c(hours.quietFrom ? 'webhook.quietSaved' : 'webhook.quietEnded'))
    refresh('console webhook')
    done()
  }
  const time = { type: 'time', required: true } as const
  return (
    <form onSubmit={submit(() => send(values))}>
      <p class="quiet">{c('webhook.quietText')}</p>
      <Field
        label={c('webhook.quietFrom')}
        value={values.quietFrom}
        change={set('quietFrom')}
        error={errorOf(error, 'quietFrom')}
        input={time}
      />
      <Field label={c('webhook.quietTo')} value={values.quietTo} change={set('quietTo')} error={errorOf(error, 'quietTo')} input={time} />
      <FormError error={error} fields={['quietFrom', 'quietTo']} />
      <div class="deeds">
        <button type="submit" class="btn" disabled={busy}>
          {c('webhook.quietSave')}
        </button>
        {quiet.quietFrom && (
          <button type="button" class="btn quiet" onClick={() => void attempt(() => send({}))}>
            {c('webhook.quietEnd')}
          </button>
        )}
        <button type="button" class="btn quiet" onClick={done}>
          {c('cancel')}
        </button>
      </div>
    </form>
  )
}

function Address({ done }: { done?: () => void }) {
  const { values, set, error, busy, submit } = useForm({ url: '' })
  const save = submit(async () => {
    const { host = '' } = await client.admin.setIncidentsWebhook({ url: values.url.trim() })
    toast(c('webhook.saved', { host }))
    refresh('console webhook')
    done?.()
  })
  return (
    <form onSubmit={save}>
      <Field label={c('webhook.address')} value={values.url} change={set('url')} input={{ type: 'url', required: true, maxLength: 2000 }} />
      <FormError error={error} fields={[]} />
      <div class="deeds">
        <button type="submit" class="btn" disabled={busy}>
          {c('webhook.save')}
        </button>
        {done && (
          <button type="button" class="btn quiet" onClick={done}>
            {c('cancel')}
          </button>
        )}
      </div>
    </form>
  )
}
