// Where incidents are told outside of the product.
import { useState } from 'preact/hooks'
import { client } from '../client.ts'
import { Field, FormError } from '../kit/field.tsx'
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
          {({ host }) => (
            <>
              <p>{host ? c('webhook.at', { host }) : c('webhook.none')}</p>
              {mayDo('admin') && (host ? <Told host={host} /> : <Address />)}
            </>
          )}
        </Answer>
      </div>
    </Section>
  )
}

function Told({ host }: { host: string }) {
  const [changing, setChanging] = useState(false)
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
  return changing ? (
    <Address key={host} done={() => setChanging(false)} />
  ) : (
    <div class="deeds">
      <button type="button" class="btn" onClick={() => void send()}>
        {c('webhook.try')}
      </button>
      <button type="button" class="btn quiet" onClick={() => setChanging(true)}>
        {c('webhook.change')} …
      </button>
      <button type="button" class="btn quiet" onClick={() => void remove()}>
        {c('webhook.remove')}
      </button>
    </div>
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
