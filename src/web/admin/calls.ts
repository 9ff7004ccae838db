// The console's calls of the server come with its code: most people never make them.
import { consoleCalls } from 'console-calls'
import { addCalls } from '../client.ts'

addCalls(consoleCalls)
