import process from 'node:process';
import { check } from '../outside-programs.mjs';
import { startBrowser } from './browser.mjs';
import { BuiltServer } from './built-server.mjs';
import { tryConnectors } from './connectors.mjs';
import { OwnerBrowser } from './owner-browser.mjs';

const { sites, home, between } = JSON.parse(process.env.SIGN_IN_SITES);
const passphrase = 'correct horse battery stapler';
const server = new BuiltServer({ name: 'main', port: sites[0].port, publicUrls: [sites[0].site] });
const said = await server.start();

const [, code] = /^ +([0-9A-Z]{4}(-[0-9A-Z]{4}){4})$/m.exec(said) ?? [];
const browser = await startBrowser({ env: { PATH: process.env.PATH, HOME: home }, between });
const context = await browser.newContext();
context.setDefaultTimeout(30_000);
const page = await context.newPage();
await page.goto(`${sites[0].site}/owner/set-up`);

await page.fill('[name=code]', code);
await page.fill('[name=passphrase]', passphrase);
await page.fill('[name=again]', passphrase);
await page.press('[name=again]', 'Enter');
await page.waitForTimeout(1000);

const owner = new OwnerBrowser({ context, site: sites[0].site, passphrase });
await tryConnectors({ server, owner, home }).catch((e) => console.log(e));

if (process.env.LOG) console.log(server.log);
await browser.close();
await server.stop();
process.exit();
