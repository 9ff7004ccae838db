// The pages of the console. Those of moderators, those of the host, and plots come in files of their own.
import './calls.ts'
import { Route, Switch } from 'wouter-preact'
import { lazy } from '../kit/lazy.tsx'
import { Meant } from '../meant.tsx'
import { Page } from '../kit/page.tsx'
import { Empty } from '../kit/states.tsx'
import { c } from '../team/texts.ts'
import { Menu } from './menu.tsx'
import { onlyFrom } from '../team/parts.tsx'

const moderation = () => import('../moderation/pages.ts')
const Reports = onlyFrom(
  'moderator',
  'reports',
  lazy(() => moderation().then((all) => all.Reports)),
)
const Moderate = onlyFrom(
  'moderator',
  'reports',
  lazy(() => moderation().then((all) => all.Moderate)),
)
const ActionLog = onlyFrom(
  'moderator',
  'log',
  lazy(() => moderation().then((all) => all.ActionLog)),
)

const Templates = onlyFrom(
  'moderator',
  'templates',
  lazy(() => moderation().then((all) => all.Templates)),
)

const Written = onlyFrom(
  'moderator',
  'written.title',
  lazy<{ id: string }>(() => moderation().then((all) => all.Written)),
)

const AllPages = onlyFrom('moderator', 'menu', Menu)

const host = () => import('./host.ts')
const People = onlyFrom(
  'moderator',
  'people',
  lazy(() => host().then((all) => all.People)),
)
const Person = onlyFrom(
  'serviceteam',
  'person',
  lazy(() => host().then((all) => all.Person)),
)
const Jobs = onlyFrom(
  'serviceteam',
  'jobs',
  lazy(() => host().then((all) => all.Jobs)),
)
const Errors = onlyFrom(
  'serviceteam',
  'errors',
  lazy(() => host().then((all) => all.Errors)),
)
const Audit = onlyFrom(
  'admin',
  'audit',
  lazy(() => host().then((all) => all.Audit)),
)

const Backups = onlyFrom(
  'admin',
  'backups',
  lazy(() => host().then((all) => all.Backups)),
)

const Webhooks = onlyFrom(
  'admin',
  'webhooks',
  lazy(() => host().then((all) => all.Webhooks)),
)

const Retention = onlyFrom(
  'admin',
  'retention',
  lazy(() => host().then((all) => all.Retention)),
)

const event = () => import('./event.ts')
const Announcements = onlyFrom(
  'serviceteam',
  'announcements',
  lazy(() => event().then((all) => all.Announcements)),
)
const Themes = onlyFrom(
  'tho',
  'themes',
  lazy(() => event().then((all) => all.Themes)),
)
const Schedule = onlyFrom(
  'serviceteam',
  'schedule',
  lazy(() => event().then((all) => all.Schedule)),
)
const Codes = onlyFrom(
  'serviceteam',
  'codes',
  lazy(() => event().then((all) => all.Codes)),
)
const Libraries = onlyFrom(
  'admin',
  'libraries',
  lazy(() => event().then((all) => all.Libraries)),
)
const Desk = onlyFrom(
  'serviceteam',
  'desk',
  lazy(() => event().then((all) => all.Desk)),
  'accountmanager',
)
const Settings = onlyFrom(
  'serviceteam',
  'settings',
  lazy(() => event().then((all) => all.Settings)),
)
const MicroSongs = onlyFrom(
  'moderator',
  'microKaraoke',
  lazy(() => event().then((all) => all.MicroSongs)),
)
const PerformerFiles = onlyFrom(
  'serviceteam',
  'performers',
  lazy(() => event().then((all) => all.PerformerFiles)),
)
const PublicTexts = onlyFrom(
  'serviceteam',
  'texts',
  lazy(() => event().then((all) => all.PublicTexts)),
)
const PublicText = onlyFrom(
  'serviceteam',
  'texts',
  lazy(() => event().then((all) => all.PublicText)),
)

const events = () => import('./events.ts')
const FeedbackReports = onlyFrom(
  'serviceteam',
  'feedback',
  lazy(() => events().then((all) => all.FeedbackReports)),
)
const HuntList = onlyFrom(
  'serviceteam',
  'hunts',
  lazy(() => events().then((all) => all.HuntList)),
  'huntmanager',
)
const NewHunt = onlyFrom(
  'serviceteam',
  'hunts',
  lazy(() => events().then((all) => all.NewHunt)),
  'huntmanager',
)
const EditHunt = onlyFrom(
  'serviceteam',
  'hunts',
  lazy(() => events().then((all) => all.EditHunt)),
  'huntmanager',
)
const Categories = onlyFrom(
  'moderator',
  'categories',
  lazy(() => events().then((all) => all.Categories)),
)

const ZoneTable = onlyFrom(
  'serviceteam',
  'zones',
  lazy(() => events().then((all) => all.ZoneTable)),
)

const life = () => import('./life.ts')
const EventLife = onlyFrom(
  'serviceteam',
  'eventLife',
  lazy(() => life().then((all) => all.EventLife)),
)
const EventEnd = onlyFrom(
  'admin',
  'wipe',
  lazy(() => life().then((all) => all.EventEnd)),
)
const DayReport = onlyFrom(
  'serviceteam',
  'dayReport',
  lazy(() => life().then((all) => all.DayReport)),
)
const Moving = onlyFrom(
  'admin',
  'moving',
  lazy(() => life().then((all) => all.Moving)),
)

const dashboard = () => import('./dashboard.tsx')
const Dashboard = onlyFrom(
  'serviceteam',
  'dashboard',
  lazy(() => dashboard().then((all) => all.Dashboard)),
)
const Checks = onlyFrom(
  'serviceteam',
  'checks',
  lazy(() => dashboard().then((all) => all.Checks)),
)

const Incidents = onlyFrom(
  'moderator',
  'incidents',
  lazy(() => dashboard().then((all) => all.Incidents)),
)

export function ConsolePages() {
  return (
    <Meant>
      <Switch>
        <Route path="/reports" component={Reports} />
        <Route path="/moderator" component={ActionLog} />
        <Route path="/moderator/written/:id">{({ id }) => <Written key={id} id={id} />}</Route>
        <Route path="/moderate/:kind/:id">
          {({ kind, id }) => <Moderate key={`${kind} ${id}`} kind={kind} id={decodeURIComponent(id)} />}
        </Route>
        <Route path="/admin" component={Dashboard} />
        <Route path="/admin/menu" component={AllPages} />
        <Route path="/admin/checks" component={Checks} />
        <Route path="/admin/incidents" component={Incidents} />
        <Route path="/admin/users" component={People} />
        <Route path="/admin/users/:id">{({ id }) => <Person key={id} id={id} />}</Route>
        <Route path="/admin/announcements" component={Announcements} />
        <Route path="/admin/themes" component={Themes} />
        <Route path="/admin/schedule" component={Schedule} />
        <Route path="/admin/codes" component={Codes} />
        <Route path="/admin/games" component={Libraries} />
        <Route path="/kiosk" component={Desk} />
        <Route path="/admin/settings" component={Settings} />
        <Route path="/admin/microkaraoke" component={MicroSongs} />
        <Route path="/admin/performers" component={PerformerFiles} />
        <Route path="/admin/templates" component={Templates} />
        <Route path="/admin/texts" component={PublicTexts} />
        <Route path="/admin/texts/:name">{({ name }) => <PublicText key={name} name={name} />}</Route>
        <Route path="/admin/jobs" component={Jobs} />
        <Route path="/admin/errors" component={Errors} />
        <Route path="/admin/audit" component={Audit} />
        <Route path="/admin/backups" component={Backups} />
        <Route path="/admin/webhooks" component={Webhooks} />
        <Route path="/admin/retention" component={Retention} />
        <Route path="/admin/event" component={EventLife} />
        <Route path="/admin/end" component={EventEnd} />
        <Route path="/admin/report" component={DayReport} />
        <Route path="/admin/moving" component={Moving} />
        <Route path="/admin/feedback" component={FeedbackReports} />
        <Route path="/admin/hunts" component={HuntList} />
        <Route path="/admin/hunts/new" component={NewHunt} />
        <Route path="/admin/hunts/:id">{({ id }) => <EditHunt key={id} id={id} />}</Route>
        <Route path="/admin/categories" component={Categories} />
        <Route path="/admin/timezones" component={ZoneTable} />
        <Route>
          <Page title={c('noPage')} back="/">
            <Empty title={c('noPageText')} />
          </Page>
        </Route>
      </Switch>
    </Meant>
  )
}
