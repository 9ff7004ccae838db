// A poll in a post, in place of its words: choices to tap, and how many have.
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { PollData } from '../../sdk/client.ts'
import { useTicks } from '../kit/countdown.ts'
import { lazy } from '../kit/lazy.tsx'
import { CheckIcon } from '../kit/page-icon.tsx'
import { clock, fullDay, until } from '../kit/time.ts'
import { Words } from '../kit/words.tsx'
import { mayWrite, me } from '../session.ts'
import { t } from '../texts.ts'
import { pollIn, usePoll, vote, waiting, withWaiting } from './query.ts'
import './poll.css'

const Voters = lazy(() => import('./dialogs.tsx').then((all) => all.Voters), true)
const End = lazy(() => import('./dialogs.tsx').then((all) => all.End), true)

const minuteMs = 60_000

/** The poll that the text leads to, or else `children`: also while it is not known, and when somebody has changed the text. */
export function WithPoll({ text, children }: { text: string; children: ComponentChildren }) {
  const id = pollIn(text)
  return id === undefined ? <>{children}</> : <PollOf id={id} text={text} words={children} />
}

function PollOf({ id, text, words }: { id: string; text: string; words: ComponentChildren }) {
  const { data } = usePoll(id)
  if (!data) return <>{words}</>
  // The address of the server may have changed since.
  const isWhole = withoutAddress(data.text) === withoutAddress(text)
  return (
    <>
      {!isWhole && words}
      <Poll poll={data} />
    </>
  )
}

const withoutAddress = (text: string) => text.slice(0, text.lastIndexOf('\n'))

export function Poll({ poll: kept }: { poll: PollData }) {
  const [isAsking, setAsking] = useState<'voters' | 'end'>()
  useTicks(minuteMs, kept.endsAt !== undefined && !kept.hasEnded)
  const mine = waiting.value[kept.pollID]
  const poll = withWaiting(kept, mine)
  const hasEnded = poll.hasEnded || (poll.endsAt !== undefined && Date.parse(poll.endsAt) <= Date.now())
  const isOpen = !hasEnded && mayWrite.value
  const most = Math.max(1, ...poll.choices.map(({ votes }) => votes))
  const choose = (index: number) => {
    const chosen = poll.choices.flatMap(({ isChosen }, each) => (isChosen && each !== index ? [each] : []))
    const isOff = poll.choices[index]?.isChosen === true
    vote(poll.pollID, isOff ? chosen : poll.several ? [...chosen, index] : [index])
  }
  return (
    <div class="poll" role="group" aria-label={poll.question}>
      <p class="poll-question">
        <Words text={poll.question} />
      </p>
      <ul>
        {poll.choices.map(({ text, votes, isChosen }, index) => (
          <li key={index}>
            <button type="button" class="poll-choice" aria-pressed={isChosen} disabled={!isOpen} onClick={() => choose(index)}>
              <span class="poll-mark">{isChosen && <CheckIcon size={16} />}</span>
              <span class="poll-text">{text}</span>
              <span class="poll-votes" aria-label={t('poll.votes', { n: votes })}>
                {votes}
              </span>
              <meter class="poll-bar" min={0} max={most} value={votes} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
      <p class="poll-state">
        <span>{[stateOf(poll, hasEnded), poll.anonymous && t('poll.anonymous'), mine && t('poll.waits')].filter(Boolean).join(' · ')}</span>
        {!poll.anonymous && poll.voterCount > 0 && (
          <button type="button" class="poll-link" aria-haspopup="dialog" onClick={() => setAsking('voters')}>
            {t('poll.who')}
          </button>
        )}
        {!hasEnded && poll.author.userID === me.value?.userID && (
          <button type="button" class="poll-link" aria-haspopup="dialog" onClick={() => setAsking('end')}>
            {t('poll.end')}
          </button>
        )}
      </p>
      {isAsking === 'voters' && <Voters poll={poll} close={() => setAsking(undefined)} />}
      {isAsking === 'end' && <End poll={poll} close={() => setAsking(undefined)} />}
    </div>
  )
}

function stateOf({ voterCount, several, endsAt }: PollData, hasEnded: boolean): string {
  const voters = t('poll.voters', { n: voterCount })
  if (hasEnded) return `${voters} · ${t('poll.hasEnded')}`
  const ends = endsAt && t('poll.ends', { time: endsIn(endsAt) })
  return [voters, several && t('poll.several'), ends].filter(Boolean).join(' · ')
}

/** In so many minutes, or at that moment. */
const endsIn = (endsAt: string): string =>
  Date.parse(endsAt) - Date.now() < 60 * minuteMs ? until(endsAt) : `${fullDay(endsAt)}, ${clock(endsAt)}`
