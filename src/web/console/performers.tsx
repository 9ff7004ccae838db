// Performers for the team: profiles and appearances come as files, which are looked at before they are applied.
import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { EventPerformerValidationData, PerformerImportData, PerformerUpdateDifferenceData } from '../../sdk/client.ts'
import { client } from '../client.ts'
import { FormError } from '../kit/field.tsx'
import { forAll } from '../team/for-all.tsx'
import { Section } from '../kit/page.tsx'
import { attempt } from '../kit/toast.tsx'
import { refresh } from '../store.ts'
import { ConsolePage, FileField, Names } from '../team/parts.tsx'
import { Everybody } from '../team/reach.tsx'
import { c } from '../team/texts.ts'

const changed = () => refresh('performers', 'performer', 'events')

export function PerformerFiles() {
  return (
    <ConsolePage title={c('performers')}>
      <p class="quiet after-tabs">
        {c('performersText')} <Link href="/performers">{c('performersLook')}</Link>
      </p>
      <Profiles />
      <Appearances />
    </ConsolePage>
  )
}

/** A list with at most so many of its lines open. */
function Profiles() {
  const [difference, setDifference] = useState<PerformerUpdateDifferenceData>()
  const [error, setError] = useState<unknown>()
  const [withDeletes, setDeletes] = useState(false)
  const look = async (file: string) => {
    setError(undefined)
    setDifference(undefined)
    try {
      const list: unknown = JSON.parse(file)
      if (!Array.isArray(list)) throw new Error(c('noList'))
      await client.admin.performerBulkUpload({ body: list as PerformerImportData[] })
      setDifference(await client.admin.performerBulkVerify())
    } catch (refused) {
      setError(refused instanceof SyntaxError ? new Error(c('noJson', { reason: refused.message })) : refused)
    }
  }
  const apply = ({ newPerformers, updatedPerformers, notInSourcePerformers }: PerformerUpdateDifferenceData) =>
    attempt(() =>
      forAll({
        title: c('askPerformers'),
        Whom: Everybody,
        text: (
          <p>
            {c('askApplyText', {
              created: newPerformers.length,
              changed: updatedPerformers.length,
              deleted: withDeletes ? notInSourcePerformers.length : 0,
            })}
          </p>
        ),
        label: c('applyCalendar'),
        grave: withDeletes,
        run: async () => {
          await client.admin.performerBulkApply({ processDeletes: String(withDeletes) })
          setDifference(undefined)
          changed()
        },
        said: c('saved'),
      }),
    )
  return (
    <Section title={c('performerProfiles')}>
      <div class="card pad">
        <FileField label={c('performerFile')} hint={c('performerFileHint')} accept=".json,application/json" choose={look} />
        <FormError error={error} fields={[]} />
        {difference && (
          <div role="status">
            <Names
              kind="new"
              title={c('library.new', { n: difference.newPerformers.length })}
              names={difference.newPerformers.map(({ header }) => header.name)}
            />
            <Names
              title={c('library.changed', { n: difference.updatedPerformers.length })}
              names={difference.updatedPerformers.map(({ header }) => header.name)}
            />
            <Names
              kind="gone"
              title={c('missingPerformers', { n: difference.notInSourcePerformers.length })}
              names={difference.notInSourcePerformers.map(({ name }) => name)}
            />
            <Names
              kind="new"
              title={c('newAppearances', { n: difference.eventLinksToAdd.length })}
              names={difference.eventLinksToAdd.map(({ performerName, eventTitle }) => `${performerName}: ${eventTitle}`)}
            />
            {difference.notInSourcePerformers.length > 0 && (
              <label class="tick">
                <input type="checkbox" checked={withDeletes} onChange={({ currentTarget }) => setDeletes(currentTarget.checked)} />
                {c('deleteMissingPerformers')}
              </label>
            )}
            <div class="buttons">
              <button type="button" class="btn" onClick={() => void apply(difference)}>
                {c('applyCalendar')}
              </button>
            </div>
          </div>
        )}
      </div>
    </Section>
  )
}

function Appearances() {
  const [validation, setValidation] = useState<EventPerformerValidationData>()
  const [error, setError] = useState<unknown>()
  const look = async (_text: string, file: File) => {
    setError(undefined)
    setValidation(undefined)
    try {
      await client.admin.performerLinkUpload({ body: new Uint8Array(await file.arrayBuffer()) })
      setValidation(await client.admin.performerLinkVerify())
    } catch (refused) {
      setError(refused)
    }
  }
  const apply = () =>
    attempt(() =>
      forAll({
        title: c('askAppearances'),
        Whom: Everybody,
        text: <p>{c('askAppearancesText')}</p>,
        label: c('applyCalendar'),
        run: async () => {
          await client.admin.performerLinkApply()
          setValidation(undefined)
          changed()
        },
        said: c('saved'),
      }),
    )
  return (
    <Section title={c('appearances')}>
      <div class="card pad">
        <FileField label={c('appearancesFile')} hint={c('appearancesHint')} accept=".xlsx" choose={look} />
        <FormError error={error} fields={[]} />
        {validation && (
          <div role="status">
            <dl class="fact-grid">
              <Fact label={c('links.events')} value={validation.eventsWithPerformerCount} />
              <Fact label={c('links.performers')} value={validation.newPerformerCount + validation.oldPerformerCount} />
              <Fact label={c('links.missing')} value={validation.missingPerformerCount} />
              <Fact label={c('links.withoutEvents')} value={validation.noEventsPerformerCount} />
              <Fact label={c('links.unmatched')} value={validation.unmatchedEventCount} />
            </dl>
            <Names title={c('links.errors', { n: validation.errors.length })} names={validation.errors} />
            <div class="buttons">
              <button type="button" class="btn" onClick={() => void apply()}>
                {c('applyCalendar')}
              </button>
            </div>
          </div>
        )}
      </div>
    </Section>
  )
}

function Fact({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  )
}
