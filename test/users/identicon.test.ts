// The identicon of an id is the same on every server there is or ever was.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { generatorFor, identiconOf, identiconPng } from '../../src/image/identicon.ts'

const vectors = [
  {
    id: '00000000-0000-0000-0000-000000000000',
    first: ['a490fb67ecf63561', 'de96fe318a7033a1', '62551d8b571b060a'],
    colour1: [48, 80, 5],
    colour2: [242, 200, 213],
    rows: '22122 22222 21212 22122 11211',
  },
  {
    id: 'F818D809-AAB9-4C92-8AAD-6AE483C8AB82',
    first: ['a490fb67ecf63561', 'f7122c2bc97886cd', 'de8ef2feb83ef1b4'],
    colour1: [48, 102, 90],
    colour2: [137, 230, 251],
    rows: '22122 21212 12121 12121 22222',
  },
  {
    id: '123E4567-E89B-42D3-A456-426614174000',
    first: ['a490fb67ecf63561', 'a3a40ea1c7b9135c', '431f7b9a75fb05dd'],
    colour1: [48, 46, 110],
    colour2: [244, 175, 234],
    rows: '21212 22122 11111 22222 22222',
  },
]

for (const { id, first, colour1, colour2, rows } of vectors) {
  test(`identicon of ${id}`, async () => {
    const next = generatorFor(id)
    assert.deepEqual(
      first.map(() => next().toString(16)),
      first,
    )
    const icon = identiconOf(id)
    assert.deepEqual(Object.values(icon.colour1), colour1)
    assert.deepEqual(Object.values(icon.colour2), colour2)
    assert.equal(icon.rows.map((row) => row.map((dark) => (dark ? '1' : '2')).join('')).join(' '), rows)

    const png = identiconPng(id.toLowerCase())
    const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    assert.deepEqual([info.width, info.height, info.channels], [40, 40, 3])
    const cells = rows.split(' ')
    for (let y = 0; y < 40; y++) {
      for (let x = 0; x < 40; x++) {
        const at = (y * 40 + x) * 3
        assert.deepEqual([...data.subarray(at, at + 3)], cells[y >> 3]?.[x >> 3] === '1' ? colour1 : colour2, `pixel ${x},${y}`)
      }
    }
  })
}
