import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { compare } from '../../bench/compare.ts'
import { compared, lineOf, type Rounds } from '../../bench/support/comparison.ts'
import { type Row, ROWS_FILE } from '../../bench/support/rows.ts'

const aRow = (what: string, found: number | null, more: Partial<Row> = {}): Row => ({
  ...{ what, found, unit: 'ms', goal: null, beside: '', better: 'less' },
  ...more,
})
/** Rounds of one row each. */
const rounds = (found: readonly (number | null)[], more: Partial<Row> = {}): Rounds =>
  found.map((value) => [aRow('a tick', value, more)])
const verdicts = (before: Rounds, now: Rounds) =>
  compared(before, now).map(({ what, verdict }) => `${what}: ${verdict}`)

describe('a row of two commits', () => {
  test.each<[string, number[], number[], Row['better'], string]>([
    ['a tenth more is worse where less is better', [10, 10, 10], [11, 11, 11], 'less', 'worse'],
    ['less than a tenth more is alike', [10, 10, 10], [10.9, 10.9, 10.9], 'less', 'alike'],
    ['a tenth less is better', [11, 11, 11], [10, 10, 10], 'less', 'better'],
    ['a tenth less is worse where more is better', [11, 11, 11], [10, 10, 10], 'more', 'worse'],
    ['a tenth more is better there', [10, 10, 10], [11, 11, 11], 'more', 'better'],
    ['the median counts, not one bad round', [10, 10, 10], [10, 90, 10], 'less', 'alike'],
    ['rounds that overlap prove nothing', [10, 10, 14], [13, 13, 13], 'less', 'unsure'],
    ['nor where more is better', [10, 10, 6], [7, 7, 7], 'more', 'unsure'],
    ['something after nothing is worse', [0, 0, 0], [3, 3, 3], 'less', 'worse'],
    ['nothing after something is better', [3, 3, 3], [0, 0, 0], 'less', 'better'],
    ['nothing after nothing is alike', [0, 0, 0], [0, 0, 0], 'more', 'alike'],
    ['nothing is worse where more is better', [3, 3, 3], [0, 0, 0], 'more', 'worse'],
  ])('%s', (_what, before, now, better, verdict) => {
    expect(verdicts(rounds(before, { better }), rounds(now, { better }))).toEqual([`a tick: ${verdict}`])
  })

  test('shows the median of the rounds and how far they lie apart', () => {
    expect(compared(rounds([12, 10, 11]), rounds([5, 7, 5]))).toMatchObject([
      { before: { median: 11, least: 10, most: 12 }, now: { median: 5, least: 5, most: 7 } },
    ])
  })

  test('of two rounds has its median between them', () => {
    expect(compared(rounds([10, 20]), rounds([1]))).toMatchObject([
      { before: { median: 15 }, now: { median: 1 } },
    ])
  })

  test('is new or gone where one commit lacks it', () => {
    const [old, fresh] = [[[aRow('old words', 1)]], [[aRow('new words', 1)]]]
    expect(verdicts(old, fresh)).toEqual(['new words: new', 'old words: gone'])
  })

  test('has no verdict where nothing was measured', () => {
    expect(verdicts(rounds([1, 1, 1]), rounds([null, null, null]))).toEqual(['a tick: unmeasured'])
  })

  test('is the same although its words hold figures that were measured', () => {
    const found = (count: number, rules: number, ms: number) => [
      aRow('start, 0 rules', 1),
      aRow(`start, ${rules} rules`, 2),
      aRow(`tick with ${count} judged`, ms),
    ]
    expect(verdicts([found(5, 100, 10)], [found(6, 100, 20)])).toEqual([
      'start, 0 rules: alike',
      'start, 100 rules: alike',
      'tick with 6 judged: worse',
    ])
  })

  test('of a commit that did not say yet what is better is judged by the words of now', () => {
    const { better: _, ...old } = aRow('a ratio', 10)
    expect(verdicts([[old as Row]], [[aRow('a ratio', 5, { better: 'more' })]])).toEqual(['a ratio: worse'])
  })

  test('says worse in words, and in red where colours are shown', () => {
    const [worse, alike] = [rounds([20]), rounds([10])].map((now) => compared(rounds([10]), now)[0])
    if (!worse || !alike) throw new Error('nothing is compared')
    const plain = lineOf(worse, 'crossings', false)
    expect(plain).toBe(
      '| a tick | 10 ms (10 to 10) | 20 ms (20 to 20) | 2 ×, less is better | **worse** | `crossings` |',
    )
    expect(lineOf(worse, 'crossings', true)).toBe(`\u001B[31m${plain}\u001B[39m`)
    expect(lineOf(alike, 'crossings', true)).not.toContain('\u001B')
  })
})

describe('bench -- compare', () => {
  /** A repository whose only commit measures 10 ms, and whose sources measure something else now. */
  function repository(nowMs: number) {
    const root = mkdtempSync(join(tmpdir(), 'perch-compare-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const git = (...words: string[]) => {
      const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
      const { status, stderr } = spawnSync('git', ['-C', root, ...who, ...words], { encoding: 'utf8' })
      if (status !== 0) throw new Error(stderr)
    }
    mkdirSync(join(root, 'bench'))
    const measures = (file: string, ms: number) => {
      const line = JSON.stringify(aRow('a tick', ms))
      const code = `import { appendFileSync } from 'node:fs'
        appendFileSync(process.env['${ROWS_FILE}'] ?? '', ${JSON.stringify(`${line}\n`)})
        appendFileSync(${JSON.stringify(join(root, 'order'))}, '${ms} ')`
      writeFileSync(join(root, 'bench', file), code)
    }
    measures('tick.ts', 10)
    git('init', '-q')
    git('add', '.')
    git('commit', '-qm', 'before')
    measures('tick.ts', nowMs)
    measures('fresh.ts', 1)
    return root
  }

  function said(root: string, commit = 'HEAD') {
    const lines: string[] = []
    const code = compare({
      ...{ root, commit, rounds: 2, showsColour: false },
      ways: [
        ['tick', 'tick.ts'],
        ['fresh', 'fresh.ts'],
      ],
      say: (line) => lines.push(line),
    })
    return { code, text: lines.join('\n') }
  }

  test('runs the benchmarks of both commits in turns, and fails where one is worse', () => {
    const root = repository(12)
    const { code, text } = said(root)
    expect(code).toBe(1)
    expect(text).toContain(
      '| a tick | 10 ms (10 to 10) | 12 ms (12 to 12) | 1.20 ×, less is better | **worse**',
    )
    expect(text).toContain('| fresh: HEAD has no bench/fresh.ts |')
    expect(text).toContain('bench/tick.ts is another one there')
    expect(readFileSync(join(root, 'order'), 'utf8')).toBe('10 12 10 12 ')
  })

  test('is content where nothing is worse', () => {
    expect(said(repository(10)).code).toBe(0)
  })

  test('names a commit that is not there', () => {
    const { code, text } = said(repository(10), 'nowhere')
    expect(code).toBe(2)
    expect(text).toContain('There is no commit nowhere here')
  })
})
