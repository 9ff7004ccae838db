// What the host has thought of for the day.
import { Section } from '../kit/page.tsx'
import { Pictures } from '../kit/picture.tsx'
import { Words } from '../kit/words.tsx'
import { useThemes } from '../notification/query.ts'
import { t } from '../texts.ts'

/** Nothing on a day without one, and before and after the trip. */
export function Theme({ day }: { day: number | undefined }) {
  const { data = [] } = useThemes()
  const theme = data.find(({ cruiseDay }) => cruiseDay === day)
  if (!theme) return null
  return (
    <Section title={t('themeOfTheDay')}>
      <div class="card pad">
        <p class="headline">{theme.title}</p>
        <p class="quiet words">
          <Words text={theme.info} />
        </p>
        <Pictures names={theme.image ? [theme.image] : undefined} sizes={theme.imageSize && [theme.imageSize]} text={theme.title} />
      </div>
    </Section>
  )
}
