import { array, assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'

import { createEventReader } from '../../../src/lib/text/event-stream.ts'

const STREAM =
  'retry: 2000\nevent: glance\nid: r-1\ndata: {"at":1}\n\n: Perch lives\n\nevent: said\ndata: a\ndata: b\r\n\r\ndata: {}\n\n'
const EVENTS = [
  { event: 'glance', data: '{"at":1}' },
  { event: 'said', data: 'a\nb' },
  { event: 'message', data: '{}' },
]

test('a stream reads the same, however the network cuts it', () => {
  assert(
    property(array(integer({ min: 0, max: STREAM.length })), (cuts) => {
      const read = createEventReader()
      const at = [0, ...cuts.toSorted((a, b) => a - b), STREAM.length]
      const pieces = at.slice(1).map((end, index) => STREAM.slice(at[index], end))
      expect(pieces.flatMap(read)).toEqual(EVENTS)
    }),
  )
})
