// Mentions and hashtags in texts: the rules, and any text against a naive reading.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { hashtagsOf, mentionedNames } from '../../src/text/mentions.ts'

describe('mentions', () => {
  it('begin a piece, have single separators inside, and are one whatever their case', () => {
    for (const [text, names] of [
      ['@sam.', ['sam']],
      ['@sky.ler!', ['sky.ler']],
      ['foo@bar.com', []],
      ['@ann@bob', ['ann']],
      ['@a', []],
      ['@ab', ['ab']],
      ['@@ab', []],
      ['hi @Ann\n@ANN\t@bob', ['ann', 'bob']],
      ['@a--b', []],
      ['@aa--b', ['aa']],
      ['@a.b', ['a.b']],
      ['@a+b_c-d.', ['a+b_c-d']],
      ['(@ann)', []],
      ['@ann\u2019s', ['ann']],
      ['@', []],
      ['@.ann', []],
      ['@jos\u00e9', ['jos\u00e9']],
      ['@jose\u0301', ['jos\u00e9']],
      ['@船長', ['船長']],
      ['\u3000@ann', ['ann']],
      [`@${'x'.repeat(50)}`, ['x'.repeat(50)]],
      [`@${'x'.repeat(51)}`, []],
    ] as const)
      assert.deepEqual(mentionedNames(text), names, text)
  })

  it('are what the rule says, of any text', () => {
    fc.assert(
      fc.property(texts('@', 'Ann', '.', '-', '_', '+'), (text) => assert.deepEqual(mentionedNames(text), naiveNames(text))),
      { numRuns: 5000 },
    )
  })
})

describe('hashtags for completion', () => {
  it('begin a piece and end with the first other character', () => {
    for (const [text, tags] of [
      ['#fun!', ['fun']],
      ['#fun#2020', ['fun']],
      ['foo#bar', []],
      ['#a', []],
      ['#a!', []],
      ['#ab', ['ab']],
      ['#Fun #fun', ['Fun', 'fun']],
      ['##fun', []],
      ['#é!é', []],
      ['#fun-time\n#day1', ['day1', 'fun']],
      [`#${'x'.repeat(48)}`, ['x'.repeat(48)]],
      [`#${'x'.repeat(49)}`, []],
      [`#ab${'!'.repeat(46)}`, ['ab']],
      [`#ab${'!'.repeat(47)}`, []],
    ] as const)
      assert.deepEqual(hashtagsOf(text), tags, text)
  })

  it('are what the rule says, of any text', () => {
    fc.assert(
      fc.property(texts('#', 'tag', '!'), (text) => assert.deepEqual(hashtagsOf(text), naiveTags(text))),
      { numRuns: 5000 },
    )
  })
})

function texts(...pieces: string[]): fc.Arbitrary<string> {
  const some = [
    'a',
    'B',
    '7',
    'é',
    'e\u0301',
    '\u0301',
    'İ',
    'ß',
    'न',
    '्',
    '가',
    '船',
    ' ',
    '\n',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '\u200d',
    '😀',
    ',',
    'x'.repeat(24),
  ]
  return fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(...pieces, ...pieces, ...some), maxLength: 30 }),
  )
}

const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' })
const lengthOf = (text: string) => [...segmenter.segment(text)].length
const isLetter = (c = '') => /^[\p{L}\p{N}]$/u.test(c)
const isKept = (c = '') => /^[\p{L}\p{M}\p{N}]$/u.test(c)
const isSpace = (c = ' ') => /^\p{White_Space}$/u.test(c)

function naiveNames(text: string): string[] {
  const characters = [...text.normalize('NFC')]
  const names = new Set<string>()
  for (const [at, character] of characters.entries()) {
    if (character !== '@' || !isSpace(characters[at - 1]) || !isLetter(characters[at + 1])) continue
    let end = at + 1
    for (;;) {
      if (isKept(characters[end])) end++
      else if ('-.+_'.includes(characters[end] ?? '!') && isKept(characters[end + 1])) end += 2
      else break
    }
    const name = characters.slice(at + 1, end).join('')
    if (lengthOf(name) >= 2 && lengthOf(name) <= 50 && name.length <= 200) names.add(name.normalize('NFC').toLowerCase())
  }
  return [...names]
}

function naiveTags(text: string): string[] {
  const pieces = ['']
  for (const character of text.normalize('NFC')) {
    if (isSpace(character)) pieces.push('')
    else pieces[pieces.length - 1] += character
  }
  const tags = new Set<string>()
  for (const piece of pieces) {
    if (!piece.startsWith('#') || lengthOf(piece) < 3 || lengthOf(piece) > 49 || piece.length > 200) continue
    const characters = [...piece].slice(1)
    const end = characters.findIndex((character) => !isKept(character))
    const tag = characters.slice(0, end === -1 ? undefined : end).join('')
    if (lengthOf(tag) >= 2) tags.add(tag)
  }
  return [...tags].sort()
}
