import { describe, expect, test } from 'vitest'

import { PALETTES, toneOf } from '../../src/picture/style.ts'
import { contrast } from './contrast.ts'

const TIERS = [
  { at: 0.2, severity: 'info' },
  { at: 0.1, severity: 'warning' },
  { at: 0.03, severity: 'critical' },
] as const

describe('the colour of a position', () => {
  test.each([
    ['far away', 0.3, 'calm'],
    ['within a tier that only informs', 0.2, 'calm'],
    ['within a tier that warns', 0.1, 'amber'],
    ['not yet within the critical one', 0.031, 'amber'],
    ['within the critical one', 0.03, 'red'],
    ['at liquidation', 0, 'red'],
    ['past it', -0.4, 'red'],
    ['without a liquidation price', null, 'calm'],
  ] as const)('%s', (_where, distance, tone) => {
    expect(toneOf(distance, TIERS)).toBe(tone)
    expect(toneOf(distance, TIERS.toReversed())).toBe(tone)
  })

  test('is red past liquidation, though no tier is critical', () => {
    expect(toneOf(-0.01, [{ at: 0.5, severity: 'info' }])).toBe('red')
  })

  test.each([
    [0.11, 'calm'],
    [0.1, 'amber'],
    [0.05, 'red'],
  ] as const)('at %f is %s where no rule stands guard', (distance, tone) => {
    expect(toneOf(distance, [])).toBe(tone)
  })
})

describe.each(Object.entries(PALETTES))('the %s palette', (_name, palette) => {
  const { ground, text, secondary, panel, amber, red, onTag } = palette

  test.each([
    ['text on the ground', text, ground],
    ['secondary text on the ground', secondary, ground],
    ['an amber figure on the ground', amber, ground],
    ['a red figure on the ground', red, ground],
    ['the tag of a far liquidation price', text, panel],
    ['the tag of the price', onTag, text],
    ['an amber tag', onTag, amber],
    ['a red tag', onTag, red],
  ])('%s is legible', (_what, one, other) => {
    expect(contrast(one, other)).toBeGreaterThanOrEqual(4.5)
  })
})
