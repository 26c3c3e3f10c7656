import { expect, test } from 'vitest'

import { wrapped } from '../../../adapters/terminal/terminal.ts'

test('a line that is too long goes on below, and no figure is cut', () => {
  expect(wrapped('  price $113,518, liquidation at $118,424 (4.3% away)', 34)).toEqual([
    '  price $113,518, liquidation at',
    '    $118,424 (4.3% away)',
  ])
  expect(wrapped('  inside your 4.8% line', 20)).toEqual(['  inside your 4.8%', '    line'])
})

test('a line that fits stays, and colour takes no room', () => {
  const line = `\u001B[33m${'x'.repeat(30)}\u001B[39m`
  expect(wrapped(line, 30)).toEqual([line])
})

test('a word that is longer than the window is left whole', () => {
  expect(wrapped(`a ${'0'.repeat(50)} b`, 30)).toEqual(['a', `    ${'0'.repeat(50)}`, '    b'])
})
