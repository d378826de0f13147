export { findChromium, launchChromium } from './chromium.ts';
export { guardNetwork, type NetworkGuard } from './network-guard.ts';
