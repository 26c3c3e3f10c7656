import { z } from 'zod'

import { argument } from '../../chat/argument.ts'
import { NUMBER_STYLES } from '../../lib/text/format.ts'
import { words } from '../../message/message.ts'
import { THEMES } from '../../message/picture.ts'
import { REPEATED_AFTER_MIN, typedAfter } from '../../people/escalation.ts'
import { PICTURE_CHOICES } from '../../people/person.ts'
import { type Language, LANGUAGES } from '../../words/words.ts'

/** The choices, one per reminder. */
export const ESCALATIONS = REPEATED_AFTER_MIN.map((_, from) => typedAfter(from))

/** A language is found by its own name and by its English one. */
const LANGUAGE_NAMES = new Map<string, Language | 'auto'>([
  ['english', 'en'],
  ['englisch', 'en'],
  ['deutsch', 'de'],
  ['german', 'de'],
  ['automatic', 'auto'],
])

/** How each setting is said. */
export const settingForms = [
  {
    name: '',
    aliases: [],
    summary: words('menu.settings.show'),
    examples: ['/settings'],
    args: z.object({}),
  },
  {
    name: 'more',
    aliases: [],
    summary: words('menu.settings.more'),
    examples: ['/settings more'],
    args: z.object({}),
  },
  {
    name: 'zone',
    aliases: ['timezone', 'time-zone', 'tz'],
    summary: words('menu.settings.zone'),
    examples: ['/settings zone Europe/Berlin'],
    args: z.object({ zone: argument.text(words('settings.zone.asks')) }),
  },
  {
    name: 'numbers',
    aliases: [],
    summary: words('menu.settings.numbers'),
    examples: ['/settings numbers 1.234,5'],
    args: z.object({ style: argument.choice(NUMBER_STYLES, words('settings.numbers.asks')) }),
  },
  {
    name: 'language',
    aliases: ['lang'],
    summary: words('settings.language.summary'),
    examples: ['/settings language de', '/settings language auto'],
    args: z.object({
      language: argument.choice([...LANGUAGES, 'auto'], words('settings.language.asks'), LANGUAGE_NAMES),
    }),
  },
  {
    name: 'detail',
    aliases: [],
    summary: words('settings.detail.summary'),
    examples: ['/settings detail full'],
    args: z.object({ detail: argument.choice(['short', 'full'], words('settings.detail.asks')) }),
  },
  {
    name: 'pictures',
    aliases: [],
    summary: words('settings.pictures.summary'),
    examples: ['/settings pictures critical'],
    args: z.object({ pictures: argument.choice(PICTURE_CHOICES, words('settings.pictures.asks')) }),
  },
  {
    name: 'theme',
    aliases: [],
    summary: words('settings.theme.summary'),
    examples: ['/settings theme light'],
    args: z.object({ theme: argument.choice(THEMES, words('settings.theme.asks')) }),
  },
  {
    name: 'chat',
    aliases: [],
    summary: words('menu.settings.chat'),
    examples: ['/settings chat', '/settings chat terminal'],
    args: z.object({ platform: argument.text(words('settings.chat.asks')).optional() }),
  },
  {
    name: 'fallback',
    aliases: [],
    summary: words('menu.settings.fallback'),
    examples: ['/settings fallback terminal', '/settings fallback none'],
    args: z.object({ platform: argument.text(words('settings.backup.asks')).optional() }),
  },
  {
    name: 'escalate',
    aliases: [],
    summary: words('menu.settings.escalate'),
    examples: ['/settings escalate now', '/settings escalate 3m'],
    args: z.object({
      after: argument.choice(
        ESCALATIONS,
        words('settings.escalate.asks', { choices: ESCALATIONS.join(', ') }),
      ),
    }),
  },
]
