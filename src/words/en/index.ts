import kinds from './kinds.ts'
import menu from './menu.ts'
import message from './message.ts'
import nights from './nights.ts'
import people from './people.ts'
import settings from './settings.ts'
import wallets from './wallets.ts'

/** All sentences in English, a file for each room. */
export default {
  ...kinds,
  ...menu,
  ...message,
  ...nights,
  ...people,
  ...settings,
  ...wallets,
} as const
