import { getGlobalDispatcher } from 'undici'

import { testAdapter } from '../../contracts/adapter.ts'
import { openDiscord } from './platform.ts'

// As in the program, where the venue's client comes first: whose undici that is decides which files discord.js can send.
getGlobalDispatcher()

testAdapter('Discord', openDiscord)
