/** How the name of a region is written, of AWS or of another service, such as `RegionOne` of OpenStack. */
export const regionForm = /^[A-Za-z0-9_-]+$/;
