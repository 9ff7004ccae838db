// One call as a state machine: every sequence of the reference, and random orders of events.
// A failed run prints its seed: see support/random-runs.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { newCall, otherSide, step, type Call, type CallEvent, type Effect } from '../../src/phone/call.ts'
import { randomTest } from '../support/random-runs.ts'

const rang = { type: 'rang', phones: 2 } as const
const accepted = { type: 'accepted', by: 'bert' } as const
const connected = { type: 'connected' } as const
const answered = { type: 'answered', by: 'bert' } as const
const declined = (by: string) => ({ type: 'declined', by }) as const
const hungUp = (side: 'caller' | 'callee') => ({ type: 'hungUp', side }) as const
const audio = (from: 'caller' | 'callee') => ({ type: 'audio', from }) as const

/** Effects in short: `ended:caller,callee`, `close:caller`, `relay:callee`, `refuse:unknown`. */
function short(effect: Effect): string {
  switch (effect.type) {
    case 'tellEnded':
      return `ended:${effect.sides.join()}`
    case 'close':
      return `close:${effect.side}`
    case 'relay':
      return `relay:${effect.to}`
    case 'refuse':
      return `refuse:${effect.because}`
    default:
      return effect.type
  }
}

/** Plays events; returns the effects of each and the phase at the end. */
function play(relayed: boolean, ...events: CallEvent[]): { effects: string[]; phase: string } {
  let call = newCall('anna', 'bert', relayed)
  const effects = events.map((event) => {
    const next = step(call, event)
    call = next.call
    return next.effects.map(short).join(' ')
  })
  return { effects, phase: call.phase }
}

const admitted = 'admit tellAnswered'
const closed = 'close:caller close:callee'

const sequences: Record<string, [relayed: boolean, phase: string, ...events: [CallEvent, string][]]> = {
  'direct call': [false, 'over', [rang, ''], [answered, 'tellAnswered'], [answered, ''], [declined('anna'), '']],
  'direct call: declined': [false, 'over', [rang, ''], [declined('bert'), 'ended:caller,callee'], [declined('anna'), '']],
  'direct call: cancelled before answer': [false, 'over', [rang, ''], [declined('anna'), 'ended:caller,callee']],
  'direct call: not answered': [false, 'over', [rang, ''], [{ type: 'timedOut' }, 'ended:caller,callee']],
  'direct call: answered over a socket': [false, 'ringing', [rang, ''], [accepted, 'refuse:unknown']],
  'relayed call: the caller hangs up': [
    true,
    'over',
    [rang, ''],
    [accepted, admitted],
    [connected, 'start'],
    [audio('caller'), 'relay:callee'],
    [audio('callee'), 'relay:caller'],
    [hungUp('caller'), `ended:callee ${closed}`],
    [hungUp('callee'), ''],
    [declined('anna'), ''],
  ],
  'relayed call: the callee hangs up': [
    true,
    'over',
    [rang, ''],
    [accepted, admitted],
    [connected, 'start'],
    [hungUp('callee'), `ended:callee ${closed}`],
    [hungUp('caller'), ''],
  ],
  'relayed call: hung up by a request': [
    true,
    'over',
    [rang, ''],
    [accepted, admitted],
    [connected, 'start'],
    [declined('anna'), `ended:caller,callee ${closed}`],
  ],
  'relayed call: answered by request as well': [
    true,
    'active',
    [rang, ''],
    [answered, 'tellAnswered'],
    [accepted, admitted],
    [connected, 'start'],
    [answered, 'tellAnswered'],
    [audio('caller'), 'relay:callee'],
  ],
  'relayed call: answered by request only': [
    true,
    'over',
    [rang, ''],
    [answered, 'tellAnswered'],
    [{ type: 'timedOut' }, `ended:caller,callee ${closed}`],
  ],
  'relayed call: declined': [true, 'over', [rang, ''], [declined('bert'), `ended:caller,callee ${closed}`], [declined('anna'), '']],
  'relayed call: cancelled before answer': [
    true,
    'over',
    [rang, ''],
    [hungUp('caller'), `ended:callee ${closed}`],
    [accepted, 'refuse:unknown'],
  ],
  'relayed call: not answered': [true, 'over', [rang, ''], [{ type: 'timedOut' }, `ended:caller,callee ${closed}`]],
  'relayed call: nobody there any more': [true, 'over', [{ type: 'rang', phones: 0 }, `ended: ${closed}`]],
  'relayed call: answered before all have rung': [
    true,
    'active',
    [accepted, admitted],
    [{ type: 'rang', phones: 0 }, ''],
    [connected, 'start'],
  ],
  'relayed call: the callee is gone before his socket opens': [
    true,
    'over',
    [rang, ''],
    [accepted, admitted],
    [hungUp('callee'), `ended:callee ${closed}`],
    [connected, ''],
  ],
  'relayed call: answered twice': [
    true,
    'active',
    [rang, ''],
    [accepted, admitted],
    [accepted, 'refuse:answered'],
    [connected, 'start'],
    [accepted, 'refuse:answered'],
  ],
  'relayed call: audio too early': [
    true,
    'active',
    [audio('caller'), ''],
    [rang, ''],
    [audio('caller'), ''],
    [accepted, admitted],
    [audio('caller'), ''],
    [audio('callee'), ''],
    [connected, 'start'],
  ],
  'relayed call: no time limit once answered': [
    true,
    'active',
    [rang, ''],
    [accepted, admitted],
    [{ type: 'timedOut' }, ''],
    [connected, 'start'],
    [{ type: 'timedOut' }, ''],
  ],
  'relayed call: lost': [
    true,
    'over',
    [rang, ''],
    [accepted, admitted],
    [connected, 'start'],
    [{ type: 'lost' }, `ended:caller,callee ${closed}`],
  ],
  'third parties': [
    true,
    'ringing',
    [rang, ''],
    [{ type: 'accepted', by: 'carl' }, 'refuse:unknown'],
    [{ type: 'accepted', by: 'anna' }, 'refuse:unknown'],
    [{ type: 'answered', by: 'carl' }, ''],
    [{ type: 'answered', by: 'anna' }, ''],
    [declined('carl'), ''],
  ],
}

for (const [name, [relayed, phase, ...steps]] of Object.entries(sequences)) {
  test(name, () => {
    assert.deepEqual(play(relayed, ...steps.map(([event]) => event)), { effects: steps.map(([, effects]) => effects), phase })
  })
}

const who = fc.constantFrom('anna', 'bert', 'carl')
const side = fc.constantFrom('caller' as const, 'callee' as const)
const happening: fc.Arbitrary<CallEvent> = fc.oneof(
  fc.record({ type: fc.constant('rang' as const), phones: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ type: fc.constant('accepted' as const), by: who }),
  fc.record({ type: fc.constant('answered' as const), by: who }),
  fc.record({ type: fc.constant('declined' as const), by: who }),
  fc.record({ type: fc.constant('hungUp' as const), side }),
  { weight: 3, arbitrary: fc.record({ type: fc.constant('audio' as const), from: side }) },
  { weight: 3, arbitrary: fc.record({ type: fc.constantFrom('connected' as const, 'connected' as const, 'timedOut' as const) }) },
  fc.record({ type: fc.constant('lost' as const) }),
)

/** The phones of both, as the effects make them. */
class World {
  call: Call
  ringing = true
  admitted = false
  started = false
  closed: string[] = []

  constructor(relayed: boolean) {
    this.call = newCall('anna', 'bert', relayed)
  }

  happens(event: CallEvent): void {
    const before = this.call
    const { call, effects } = step(before, event)
    this.call = call
    if (before.phase === 'over')
      assert.ok(
        effects.every(({ type }) => type === 'refuse'),
        'nothing happens to a call that is over',
      )
    if ('by' in event && event.by === 'carl')
      assert.deepEqual([call, effects.filter(({ type }) => type !== 'refuse')], [before, []], 'third parties have no effect')
    for (const effect of effects) this.#apply(effect, event, before)
    if (call.phase === 'over') {
      assert.ok(!this.ringing || (event.type === 'rang' && event.phones === 0), 'no phone rings for a call that is over')
      this.ringing = false
      assert.deepEqual(this.closed, call.relayed ? ['caller', 'callee'] : [], 'both phone sockets are closed, once')
    }
    assert.ok(this.started || call.phase !== 'active')
  }

  #apply(effect: Effect, event: CallEvent, before: Call): void {
    switch (effect.type) {
      case 'admit':
        assert.ok(!this.admitted && before.relayed && event.type === 'accepted' && event.by === 'bert', 'one phone of the callee')
        this.admitted = true
        break
      case 'refuse':
        assert.equal(event.type, 'accepted')
        if (effect.because === 'answered') assert.ok(this.admitted && 'by' in event && event.by === 'bert')
        break
      case 'tellAnswered':
        this.ringing = false
        break
      case 'tellEnded':
        if (effect.sides.includes('callee')) this.ringing = false
        break
      case 'start':
        assert.ok(this.admitted && !this.started)
        this.started = true
        break
      case 'relay':
        assert.ok(
          event.type === 'audio' && effect.to === otherSide(event.from) && before.phase === 'active' && this.started,
          'audio goes to the other side of an active call',
        )
        break
      case 'close':
        this.closed.push(effect.side)
    }
  }
}

randomTest('phone.call', 'events in any order: nobody keeps ringing, audio only between the two', 3000, (parameters) => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(happening, { maxLength: 30 }), side, (relayed, events, last) => {
      const world = new World(relayed)
      for (const event of events) world.happens(event)
      // Time runs out for a call that rings; a phone that leaves ends every other.
      world.happens({ type: 'timedOut' })
      assert.equal(world.call.phase === 'ringing', false)
      world.happens({ type: 'hungUp', side: last })
      assert.equal(world.call.phase, 'over')
      assert.equal(world.ringing, false)
    }),
    parameters,
  )
})
