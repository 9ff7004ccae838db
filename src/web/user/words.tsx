// Words that somebody wants to hear of, or nothing of.
import { useState } from 'preact/hooks'
import { client } from '../client.ts'
import { Field } from '../kit/field.tsx'
import { CloseIcon } from '../kit/icon.tsx'
import { Page } from '../kit/page.tsx'
import { Answer } from '../kit/states.tsx'
import { attempt } from '../kit/toast.tsx'
import { queries, useQuery } from '../store.ts'
import { t, type TextKey } from '../texts.ts'

const calls = {
  alertwords: {
    read: () => client.user.alertwords(),
    add: (word: string) => client.user.alertwordsAdd({ alert_word: word }),
    remove: (word: string) => client.user.alertwordsRemove({ alert_word: word }),
  },
  mutewords: {
    read: () => client.user.mutewords(),
    add: (word: string) => client.user.mutewordsAdd({ mute_word: word }),
    remove: (word: string) => client.user.mutewordsRemove({ mute_word: word }),
  },
}

export function KeyWords({ which }: { which: keyof typeof calls }) {
  const { read, add, remove } = calls[which]
  const words = useQuery({ queryKey: ['words', which], queryFn: read })
  const [word, setWord] = useState('')
  const change = (work: Promise<unknown>) => attempt(async () => queries.setQueryData(['words', which], await work))
  const submit = async (event: Event) => {
    event.preventDefault()
    if (await change(add(word.trim()))) setWord('')
  }
  return (
    <Page title={t(which)} back="/account">
      <form class="card pad" onSubmit={(event) => void submit(event)}>
        <Field
          label={t('word')}
          hint={t(`${which}Hint` as TextKey)}
          value={word}
          change={setWord}
          input={{ required: true, maxLength: 50 }}
        />
        <button type="submit" class="btn">
          {t('add')}
        </button>
      </form>
      <Answer of={words}>
        {({ keywords }) => (
          <ul class="chosen-people words-list">
            {keywords.map((each) => (
              <li key={each} class="chip">
                {each}
                <button type="button" aria-label={t('removeName', { name: each })} onClick={() => void change(remove(each))}>
                  <CloseIcon size={16} />
                </button>
              </li>
            ))}
          </ul>
        )}
      </Answer>
    </Page>
  )
}
