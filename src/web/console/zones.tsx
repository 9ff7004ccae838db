// When the ship changes its clocks, as the file of the operator says, and the way to read that file again.
import { client } from '../client.ts'
import { forAll } from '../team/for-all.tsx'
import { Answer } from '../kit/states.tsx'
import { clock, fullDay } from '../kit/time.ts'
import { attempt } from '../kit/toast.tsx'
import { refresh, useQuery } from '../store.ts'
import { ConsolePage } from '../team/parts.tsx'
import { Everybody } from '../team/reach.tsx'
import { mayDo } from '../team/rights.ts'
import { c } from '../team/texts.ts'

export function ZoneTable() {
  const zones = useQuery({ queryKey: ['console zones'], queryFn: () => client.admin.timezonechanges() })
  const reload = () =>
    attempt(() =>
      forAll({
        title: c('zones.ask'),
        Whom: Everybody,
        text: <p>{c('zones.askText')}</p>,
        label: c('zones.reload'),
        run: async () => {
          const { changes } = await client.admin.timezonechangesReloadtzdata()
          refresh('console zones', 'zones', 'events', 'numbers')
          return changes
        },
        said: (changes) => c('zones.reloaded', { n: changes }),
      }),
    )
  return (
    <ConsolePage title={c('zones')}>
      <p class="quiet after-tabs">{c('zones.text')}</p>
      <Answer of={zones}>
        {({ records, currentTimeZoneAbbrev, currentTimeZoneID }) => (
          <div class="card pad">
            <p>{c('zones.now', { zone: currentTimeZoneAbbrev, id: currentTimeZoneID })}</p>
            <div class="scroll" role="region" aria-label={c('zones')} tabIndex={0}>
              <table>
                <thead>
                  <tr>
                    <th scope="col">{c('zones.from')}</th>
                    <th scope="col">{c('zones.zone')}</th>
                    <th scope="col">{c('zones.id')}</th>
                  </tr>
                </thead>
                <tbody>
                  {records.map(({ activeDate, timeZoneAbbrev, timeZoneID }) => (
                    <tr key={activeDate}>
                      <td>
                        {fullDay(activeDate)}, {clock(activeDate)}
                      </td>
                      <td>{timeZoneAbbrev}</td>
                      <td>{timeZoneID}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </div>
            {mayDo('admin') && (
              <p class="buttons">
                <button type="button" class="btn quiet" onClick={() => void reload()}>
                  {c('zones.reload')}
                </button>
              </p>
            )}
          </div>
        )}
      </Answer>
    </ConsolePage>
  )
}
