import type { z } from 'zod'

import { toJson } from '../lib/text/json.ts'
import { plain } from '../message/figure.ts'
import { joined, type Text } from '../message/message.ts'
import { type EventKind, type LevelKind, type Scope, type Severity, USUAL_HOLD_MS } from './alert.ts'
import type { Subject } from './subject.ts'

type SubjectOn<On extends Subject['is']> = Extract<Subject, { is: On }>

/** The declaration that all kinds share. Optional parts default to none. */
type Head<On extends Subject['is'], Params extends z.ZodObject> = Pick<
  LevelKind<z.output<Params>>,
  'name' | 'summary' | 'example'
> &
  Partial<
    Pick<
      LevelKind<z.output<Params>>,
      'aliases' | 'cues' | 'reads' | 'needs' | 'whose' | 'armedByWatch' | 'presets' | 'figure' | 'lookBackMs'
    >
  > & {
    on: On
    params: Params
  }

/** A kind with parameters must describe them. */
type OfParams<Params extends z.ZodObject> = keyof Params['shape'] extends never
  ? object
  : Pick<LevelKind<z.output<Params>>, 'describe' | 'typed'> &
      Partial<Pick<LevelKind<z.output<Params>>, 'when' | 'describeMerged'>> &
      Together<z.output<Params>>

/**
 * How rules of this kind are merged. `merge` has no default: a wrong one would lose a person's alerts. With
 * `'each'`, other parameters make another rule, so all rules of one identity are equal.
 */
type Together<P> =
  | (Pick<LevelKind<P>, 'merge'> & Partial<Pick<LevelKind<P>, 'identity'>>)
  | { identity: 'each'; merge?: never }

/** A single severity means one tier, named after the rule's own threshold. */
type Tiers<P> = Pick<LevelKind<P>, 'severity' | 'tier' | 'tierUnder'> | { severity: Severity }

type Judging<P, S extends Subject> = Pick<LevelKind<P, S>, 'judge' | 'tell'> &
  Partial<
    Pick<LevelKind<P>, 'headroom' | 'apart' | 'holdMs' | 'lines' | 'aboutLiquidation' | 'notShownByVenue'>
  >

/** Declares a kind that judges a level. Infers its parameters from `params` and its subject from `on`. */
export function levelKind<On extends Subject['is'], Params extends z.ZodObject>(
  kind: Head<On, Params> &
    OfParams<Params> &
    Tiers<z.output<Params>> &
    Judging<z.output<Params>, SubjectOn<On>>,
): LevelKind<unknown> {
  const given = kind as unknown as Untyped<LevelKind<unknown>>
  const { severity, judge, tell } = given
  const declared = completed(given)
  return {
    tier: (params) => (declared.describe(params).length > 0 ? declared.describe(params) : declared.name),
    tierUnder: (_before, tier) => tier,
    headroom: (value) => value,
    apart: () => null,
    holdMs: USUAL_HOLD_MS,
    aboutLiquidation: false,
    notShownByVenue: () => null,
    ...declared,
    is: 'level',
    severity: typeof severity === 'string' ? () => severity : severity,
    judge: (params, subject) => judge(params, checked(given, subject)),
    tell: (params, change, subject) => tell(params, change, checked(given, subject)),
  }
}

type Folding<P, M, S extends Subject, D> = Pick<EventKind<P, M, S, D>, 'detect' | 'tell'> &
  Partial<Pick<EventKind<P, M, S, D>, 'awaits'>> & {
    severity: Severity | EventKind<P, M, S, D>['severity']
  }

/**
 * Declares a kind that detects occurrences. `detect` must come before `severity` and `tell`: its parameter
 * types the state, and its result types the detail of an occurrence.
 */
export function eventKind<On extends Subject['is'], Params extends z.ZodObject, M, D>(
  kind: Head<On, Params> & OfParams<Params> & Folding<z.output<Params>, M, SubjectOn<On>, D>,
): EventKind<unknown> {
  const given = kind as unknown as Untyped<EventKind<unknown>>
  const { severity, detect, tell } = given
  return {
    awaits: () => [],
    ...completed(given),
    is: 'event',
    severity: typeof severity === 'string' ? () => severity : severity,
    detect: (params, state, subject) => detect(params, state, checked(given, subject)),
    tell: (params, occurrence, subject) => tell(params, occurrence, checked(given, subject)),
  }
}

/** A declared kind without its types, which were checked above. */
interface AnyKind {
  name: string
  aliases?: readonly string[]
  cues?: readonly string[]
  summary: Text
  example: string
  on: Subject['is']
  reads?: 'orders' | 'twaps' | null
  needs?: readonly Scope[]
  params: z.ZodObject
  whose?: LevelKind<unknown>['whose']
  armedByWatch?: unknown
  presets?: LevelKind<unknown>['presets']
  figure?: LevelKind<unknown>['figure']
  lookBackMs?: LevelKind<unknown>['lookBackMs']
  describe?: LevelKind<unknown>['describe']
  when?: LevelKind<unknown>['when']
  describeMerged?: LevelKind<unknown>['describeMerged']
  typed?: (params: unknown) => string
  identity?: 'each' | ((params: unknown) => string)
  merge?: (all: readonly [unknown, ...unknown[]]) => unknown
}

type Untyped<K extends LevelKind<unknown> | EventKind<unknown>> = AnyKind &
  Omit<K, keyof AnyKind | 'severity'> & {
    severity: Severity | K['severity']
  }

function completed(kind: AnyKind) {
  const { summary, identity = () => '', describe = () => '' } = kind
  return {
    aliases: [],
    cues: [],
    reads: null,
    needs: [],
    whose: 'own' as const,
    armedByWatch: null,
    presets: {},
    when: (params: unknown) =>
      joined(
        [summary, describe(params)].filter((part) => part !== ''),
        ' ',
      ),
    describeMerged: describe,
    typed: () => '',
    figure: (value: number) => [plain(value)],
    lookBackMs: () => 0,
    merge: ([first]: readonly [unknown, ...unknown[]]) => first,
    ...kind,
    describe,
    identity: identity === 'each' ? toJson : identity,
  }
}

/** The engine keeps all kinds in one list, where no type ties a kind to its subject. */
function checked({ name, on }: AnyKind, subject: Subject): Subject {
  if (subject.is !== on) throw new Error(`${name} judges ${on}s, no ${subject.is}`)
  return subject
}
