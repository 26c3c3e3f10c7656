import { expect } from 'vitest'

/** One thing that a newcomer does: a tap, or words that are typed or pasted. */
type Step = { tap: string } | { type: string; shown: string }

/** What a newcomer wants after /start, and how they come to it. */
interface Path {
  wish: string
  steps: readonly Step[]
  most: { taps: number; words: number }
  /** What they read at the end. */
  ends: RegExp
}

/** A newcomer's phone. Each of these resolves with what they read after it. */
export interface Phone {
  start(): Promise<string>
  taps(label: string): Promise<string>
  types(words: string): Promise<string>
}

export const TOPIC = 'ann-phone'

/** The paths whose taps are counted. A choice from a list counts as one tap. */
export function pathsTo(wallet: string): readonly Path[] {
  const tap = (label: string) => ({ tap: label })
  return [
    {
      wish: 'a wallet watched',
      steps: [tap('Add a wallet'), { type: wallet, shown: 'paste the address' }],
      most: { taps: 2, words: 1 },
      ends: /watching 0x/i,
    },
    {
      wish: 'an alert on a price',
      steps: [tap('New alert'), tap('Price'), tap('ETH'), tap('▼ $2,410 -2%')],
      most: { taps: 4, words: 0 },
      ends: /I’ll alert you when ETH is below \$2,410/,
    },
    {
      wish: 'quiet hours',
      steps: [tap('Settings'), tap('Quiet hours'), tap('23:00-07:00')],
      most: { taps: 3, words: 0 },
      ends: /quiet.*23:00.07:00/i,
    },
    {
      wish: 'times in my zone',
      steps: [tap('Settings'), tap('Time zone'), { type: 'Berlin', shown: 'type Berlin' }],
      most: { taps: 2, words: 1 },
      ends: /Europe\/Berlin/,
    },
    {
      wish: 'critical alerts on ntfy as well, and a drill that proves it',
      steps: [
        tap('Settings'),
        tap('Alerts reach you'),
        tap('Add ntfy'),
        { type: TOPIC, shown: 'type the topic' },
        tap('Test alert'),
        tap('Acknowledge drill'),
      ],
      most: { taps: 6, words: 1 },
      ends: /acknowledged/i,
    },
  ]
}

/** Walks a path, counts its taps and words, and returns its row of a table. */
export async function walk(phone: Phone, { wish, steps, most, ends }: Path): Promise<string> {
  let read = await phone.start()
  for (const step of steps) read = 'tap' in step ? await phone.taps(step.tap) : await phone.types(step.type)
  const taps = steps.filter((step) => 'tap' in step).length
  expect(read, wish).toMatch(ends)
  expect(taps, wish).toBeLessThanOrEqual(most.taps)
  expect(steps.length - taps, wish).toBeLessThanOrEqual(most.words)
  const shown = steps.map((step) => ('tap' in step ? `[${step.tap}]` : step.shown)).join(' → ')
  return `| ${wish} | ${taps} | ${shown} |`
}

export const PATHS_HEAD = '| I want | taps | from `/start` |\n| --- | --- | --- |'
