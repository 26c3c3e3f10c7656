import { expect, test } from 'vitest'

import { createEvents, type Event } from '../../src/runtime/event.ts'

const stopped: Event = { is: 'stopped' }

test('everybody who listens hears everything, in order, until they stop listening', () => {
  const events = createEvents()
  const [first, second]: [string[], string[]] = [[], []]
  const stop = events.listen(({ is }) => first.push(is))
  events.listen(({ is }) => second.push(is))
  events.emit({ is: 'stopping', why: 'a test' })
  stop()
  events.emit(stopped)
  expect(first).toEqual(['stopping'])
  expect(second).toEqual(['stopping', 'stopped'])
})

test('a listener that fails disturbs nobody, and is told as trouble', () => {
  const events = createEvents()
  const heard: Event[] = []
  const broken = new Error('no disk')
  events.listen(() => {
    throw broken
  })
  events.listen((event) => heard.push(event))
  events.emit(stopped)
  expect(heard).toContainEqual(stopped)
  expect(heard).toContainEqual({
    is: 'trouble',
    where: 'event listener',
    why: 'Error: no disk',
    error: broken,
  })
  expect(heard).toHaveLength(2)
})

test('an event that nobody hears is no trouble', () => {
  expect(() => createEvents().emit(stopped)).not.toThrow()
})
